import { Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { formatTime } from '../output/time.ts';
import { serverStatus } from '../server/client.ts';
import { fileProblems } from '../team/file-check.ts';
import { readMembership } from '../team/membership.ts';
import { runningSender } from '../team/sender-process.ts';
import { readSenderState } from '../team/sender-state.ts';
import { type Check, note, problem } from './finding.ts';

/** A team's server may do what it likes: agents notice nothing of it, and here is where a person does. */
export const teamCheck: Check = async ({ places }) => {
  try {
    const membership = readMembership(places);
    if (membership === undefined) return [];
    const { problem: last } = readSenderState(places);
    const [server, sender] = await Promise.all([serverStatus(places), runningSender(places)]);
    return [
      ...fileProblems(places).map(({ id, stops, what, where, remedy }) =>
        stops ? problem(id, { what: `nothing is sent to the team: ${what}`, where, remedy }) : note(id, { what, where, remedy }),
      ),
      ...(last === null || last.why === 'files'
        ? []
        : [
            note(`team.${last.why}`, {
              what: `the team's server takes nothing since ${formatTime(last.since)}: ${oneLine(last.error)}`,
              where: membership.url,
              remedy: remedyOf(last.why),
            }),
          ]),
      ...(sender === undefined && server.ok
        ? [
            note('team.sender', {
              what: 'nothing is sent to the team: the sender does not run',
              remedy: 'piton server stop. The next event starts both',
            }),
          ]
        : []),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      problem('team.membership', {
        what: error.message,
        ...(error.where && { where: error.where }),
        remedy: error.remedy ?? 'run `piton team leave`',
      }),
    ];
  }
};

const remedyOf = (why: string): string =>
  why === 'machine'
    ? 'the team has ended this machine: piton team leave'
    : 'nothing is lost: it is sent once the server takes it. Tell its admin, or leave: piton team leave';
