import { type Call, resolvePath } from '@piton/shell';
import { type Finding, operandsOf, type Rule, type Rules } from '../rule.ts';

const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty\w*|ptmx|pts\/.*|fd\/.*|shm\/.*|tcp\/.*|udp\/.*)$/;
const SYSTEM_FILE = /^\/etc\/(?:passwd|shadow|sudoers|fstab|hosts|group|ssh\/sshd_config)$/;

const isDevice = (path: string): boolean => path.startsWith('/dev/') && !HARMLESS_DEVICE.test(path);
const overwrites = (path: string): Finding => ({ what: `it would overwrite ${path}`, instead: 'Write to a file in the project.' });

/** Redirections count for every program. */
export function writesDevice({ writes, cwd }: Call): Finding | undefined {
  const path = writes.map((target) => resolvePath(cwd, target)).find((target) => isDevice(target) || SYSTEM_FILE.test(target));
  return path === undefined ? undefined : overwrites(path);
}

const onDevice =
  (verb: string): Rule =>
  ({ args }) =>
    args.some((arg) => isDevice(arg)) ? { what: `it would ${verb} a disk`, instead: 'Leave disks to the person.' } : undefined;

const always =
  (what: string, instead: string): Rule =>
  () => ({ what, instead });

const format = always('it makes a file system where another may be', 'Leave disks to the person.');
const VOLUME_GONE: Finding = { what: 'it would delete a volume with its data', instead: 'Leave disks to the person.' };
const volumes: Rule = ({ args }) => (args.includes('--test') || args.includes('-t') ? undefined : VOLUME_GONE);
const destroys: Rule = ({ args }) =>
  args[0] === 'destroy' && !args.slice(1).some((arg) => /^-[a-zA-Z]*n/.test(arg)) ? VOLUME_GONE : undefined;
const powerOff = always('it would end this machine', 'Tell the person that a restart is needed.');
const lastWrites: Rule = ({ args }) => operandsOf(args).filter(isDevice).map(overwrites)[0];

export const DISK: Rules = {
  dd: ({ args }) => {
    const target = args.find((arg) => arg.startsWith('of='))?.slice(3);
    return target !== undefined && (isDevice(target) || SYSTEM_FILE.test(target)) ? overwrites(target) : undefined;
  },
  tee: lastWrites,
  cp: ({ args }) => (isDevice(operandsOf(args).at(-1) ?? '') ? overwrites(operandsOf(args).at(-1) ?? '') : undefined),
  mkfs: format,
  mke2fs: format,
  mkswap: format,
  newfs: format,
  wipefs: onDevice('wipe'),
  blkdiscard: onDevice('wipe'),
  fdisk: (call, where) => (call.args.includes('-l') ? undefined : onDevice('repartition')(call, where)),
  parted: (call, where) => (call.args.includes('-l') || call.args.includes('print') ? undefined : onDevice('repartition')(call, where)),
  sgdisk: onDevice('repartition'),
  cryptsetup: ({ args }) =>
    /^(?:luksFormat|erase|luksErase)$/.test(args[0] ?? '')
      ? { what: 'it would wipe a disk', instead: 'Leave disks to the person.' }
      : undefined,
  lvremove: volumes,
  vgremove: volumes,
  pvremove: volumes,
  zpool: destroys,
  zfs: destroys,
  btrfs: ({ args }) => (/^subvolume d/.test(args.join(' ')) ? VOLUME_GONE : undefined),
  diskutil: ({ args }) =>
    /^(?:erase|reformat|zero|secureErase|partition)/i.test(args[0] ?? '')
      ? { what: 'it would erase a disk', instead: 'Leave disks to the person.' }
      : undefined,
  shutdown: ({ args }) =>
    args.includes('-c') ? undefined : { what: 'it would end this machine', instead: 'Tell the person that a restart is needed.' },
  reboot: powerOff,
  halt: powerOff,
  poweroff: powerOff,
  init: ({ args }) =>
    args[0] === '0' || args[0] === '6'
      ? { what: 'it would end this machine', instead: 'Tell the person that a restart is needed.' }
      : undefined,
  systemctl: ({ args }) =>
    /^(?:poweroff|reboot|halt|kexec)$/.test(operandsOf(args)[0] ?? '')
      ? { what: 'it would end this machine', instead: 'Tell the person that a restart is needed.' }
      : undefined,
  kill: ({ args }) =>
    args.length > 1 && args.at(-1) === '-1'
      ? { what: 'it would end every process of this user', instead: 'End the one process that you started, by its id.' }
      : undefined,
  crontab: ({ args }) =>
    args.includes('-r')
      ? { what: 'it deletes all scheduled jobs of this user', instead: 'Show them with `crontab -l`, then edit the one line.' }
      : undefined,
  userdel: always('it would delete a user', 'Leave users to the person.'),
};
