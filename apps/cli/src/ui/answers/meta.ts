import { AGENTS } from '@piton/agents';
import type { PageMeta } from '@piton/contracts/page';
import { PRICE_DATE } from '@piton/prices';
import { commandName } from '../../command-name.ts';
import { repositoryRoot } from '../../repository.ts';
import { serverStatus } from '../../server/client.ts';
import { type PageReader, repositoryIdOf } from '../reader.ts';

export async function answerMeta(reader: PageReader): Promise<PageMeta> {
  const { context, places } = reader;
  const store = await reader.store();
  const position = await store?.lastChange();
  const server = (await serverStatus(places)).ok;
  const events = store ? ((await store.events({ limit: 1 }))[0]?.seq ?? 0) : 0;
  return {
    version: context.version,
    home: places.home,
    live: reader.isLive(),
    server,
    store: position === undefined ? null : { id: position.store, seq: position.seq, events },
    listPricesOf: PRICE_DATE,
    agents: AGENTS.map(({ id, title }) => ({ id, title })),
    command: commandName(context),
    repository: repositoryIdOf(repositoryRoot(context) ?? null),
  };
}
