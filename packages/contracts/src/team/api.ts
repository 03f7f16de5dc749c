/** Of every route below. */
export const TEAM_API = '/v1';

/** POST /v1/join: makes a machine known by a code that is good once. `key` is an Ed25519 key, DER (SPKI) in base64. */
export interface TeamJoin {
  readonly code: string;
  readonly key: string;
  readonly name: string;
  readonly platform: string;
  readonly piton: string;
  /** The person agrees that bodies leave this machine. */
  readonly bodies: boolean;
}
export interface TeamJoined extends TeamTerms {
  readonly machine: string;
}
export interface TeamTerms {
  readonly tenant: { readonly id: string; readonly name: string };
  /** The team wants bodies. They leave a machine only if its person agrees too. */
  readonly bodies: boolean;
  /** The person agreed, as far as the server knows: false again once the team has changed its mind, or they have on another machine. */
  readonly consent?: boolean;
}

/** POST /v1/challenge */
export interface TeamChallengeAsked {
  readonly tenant: string;
  readonly machine: string;
}
export interface TeamChallenge {
  readonly challenge: string;
}
/** POST /v1/token: `signature` of `challengeText`, base64. */
export interface TeamTokenAsked extends TeamChallengeAsked, TeamChallenge {
  readonly signature: string;
}
export interface TeamToken extends TeamTerms {
  readonly token: string;
  /** Clocks differ: how long it is good, not until when. */
  readonly seconds: number;
}
/** What a machine signs: nothing that could be meant for anything else. */
export const challengeText = ({ tenant, machine, challenge }: TeamChallengeAsked & TeamChallenge): string =>
  `piton team token\n${tenant}\n${machine}\n${challenge}`;

/** GET /v1/stores/<store>: the number up to which the server has everything of this store. 0: nothing. */
export interface UploadPosition {
  readonly position: number;
}
/**
 * POST /v1/stores/<store>/changes?after=<N>&through=<M>&sent=<ms by its clock>: everything between N and M that may leave. `after` has to be the server's
 * position: otherwise 409 and that position, and nothing is stored. A batch that is sent again is stored once.
 */
export interface UploadStored extends UploadPosition {
  readonly stored: number;
}
/** POST /v1/consent: of the person whose machine it is. 204. */
export interface TeamConsent {
  readonly bodies: boolean;
}
/** PUT /v1/inventory, packed by gzip: 204. POST /v1/leave: 204, and the machine's key is good for nothing more. */

/** Every answer of another status than 2xx. */
export interface TeamRefusal {
  /** For programs. `position` comes with one, `busy` with `Retry-After`. */
  readonly problem: 'bad-request' | 'code' | 'token' | 'machine' | 'position' | 'too-large' | 'not-found' | 'busy' | 'failed';
  readonly error: string;
  readonly position?: number;
}
