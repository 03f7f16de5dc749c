/** The machine's monotonic clock, with which a forwarder stamps `Frame.monotonicUs`. */
export const monotonicUs = (): bigint => process.hrtime.bigint() / 1000n;
