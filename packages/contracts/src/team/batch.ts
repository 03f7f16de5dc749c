import type { TeamCheckpointData, TeamEventData, TeamGapData, TeamPushData, TeamSessionData, TeamUsageData } from './records.ts';

/** The body of an upload: a JSON array of CloudEvents, packed by gzip. */
export const TEAM_BATCH_TYPE = 'application/cloudevents-batch+json';
export const MAX_TEAM_RECORDS = 500;
/** Unpacked. One record alone may be this large. */
export const MAX_TEAM_BATCH_BYTES = 8 * 1024 * 1024;
/** A body that is larger stays on the machine, and the record says so. */
export const MAX_TEAM_BODY_BYTES = 1024 * 1024;

/** Each kind of record by the `type` of its CloudEvent. */
export interface TeamRecords {
  readonly 'piton.event.v1': TeamEventData;
  readonly 'piton.session.v1': TeamSessionData;
  readonly 'piton.checkpoint.v1': TeamCheckpointData;
  readonly 'piton.push.v1': TeamPushData;
  readonly 'piton.usage.v1': TeamUsageData;
  readonly 'piton.gap.v1': TeamGapData;
}
export type TeamRecordType = keyof TeamRecords;

/**
 * A record as a CloudEvent 1.0. `source` and `id` identify it: the machine, and the identity of its store with the number of the
 * change. A later version of the same thing has another number, and counts.
 */
export type TeamCloudEvent = {
  readonly [Type in TeamRecordType]: {
    readonly specversion: '1.0';
    readonly id: string;
    readonly source: string;
    readonly type: Type;
    /** When it happened, by the machine's clock. */
    readonly time: string;
    readonly datacontenttype: 'application/json';
    /** The number of the change in the machine's store. */
    readonly pitonchange: string;
    readonly data: TeamRecords[Type];
  };
}[TeamRecordType];

/** `urn:piton:machine:<id>` */
export const machineSource = (machine: string): string => `urn:piton:machine:${machine}`;
/** The id of a record: the store's identity and the number of the change. */
export const recordId = (store: string, change: number): string => `${store}/${change}`;
