export interface Way {
  readonly name: string;
  readonly last: boolean;
}
export const WAYS: readonly Way[];
