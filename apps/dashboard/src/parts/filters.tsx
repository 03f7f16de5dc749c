import type { PageRepository } from '@piton/contracts/page';
import { meta } from '../api/meta.ts';
import { useList } from '../api/resource.ts';
import { choose, route } from '../router/route.ts';

export const useRepositories = (): readonly PageRepository[] => useList('/api/repositories', [], { limit: 100 }).value ?? [];

function Choice(props: {
  readonly label: string;
  readonly name: string;
  readonly all: string;
  readonly options: readonly (readonly [string, string])[];
}) {
  return (
    <select
      class="field"
      aria-label={props.label}
      value={route.value.query.get(props.name) ?? ''}
      onChange={(event) => choose({ [props.name]: event.currentTarget.value || undefined })}
    >
      <option value="">{props.all}</option>
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function AgentChoice() {
  const agents = (meta.value?.agents ?? []).map(({ id, title }) => [id, title] as const);
  return <Choice label="Agent" name="agent" all="All agents" options={agents} />;
}

export function RepositoryChoice({ repositories }: { readonly repositories: readonly PageRepository[] }) {
  return (
    <Choice label="Repository" name="repository" all="All repositories" options={repositories.map(({ id, name }) => [id, name] as const)} />
  );
}
