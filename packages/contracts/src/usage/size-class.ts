/**
 * Some prices depend on how much one request reads. Sums of requests are kept by these classes, so that what they cost can still be
 * told. Every limit of the price table has to be among them: a test says if one is not.
 */
export const SIZE_LIMITS = [100_000, 128_000, 200_000, 256_000, 272_000, 512_000] as const;
