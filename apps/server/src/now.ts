/** The machine's monotonic clock, which forwarders stamp their frames with too. */
export const nowUs = (): bigint => process.hrtime.bigint() / 1000n;
