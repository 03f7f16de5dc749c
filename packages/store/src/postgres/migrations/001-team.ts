import type { TeamMigration } from './index.ts';

const TENANT = `nullif(current_setting('piton.tenant', true), '')::uuid`;

/** Rows of a tenant, for whoever asks: the owner too. Without a tenant there is none. */
const isolated = (table: string): string => `
ALTER TABLE piton.${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE piton.${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON piton.${table} USING (tenant_id = ${TENANT}) WITH CHECK (tenant_id = ${TENANT});
`;

const TABLES = ['tenants', 'people', 'person_keys', 'machines', 'join_codes', 'tokens', 'positions', 'gaps', 'reports']
  .concat(['changes', 'bodies', 'words', 'hours', 'counted', 'audit'])
  .map(isolated)
  .join('');

export const TEAM: TeamMigration = {
  name: '0001_team',
  sql: `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'piton_app') THEN CREATE ROLE piton_app NOLOGIN; END IF;
END $$;
REVOKE ALL ON SCHEMA piton FROM PUBLIC;
GRANT USAGE ON SCHEMA piton TO piton_app;

-- Which cluster numbered the transactions. After a restore into another one, its numbers go on above those that were restored.
CREATE TABLE piton.cluster (one boolean PRIMARY KEY DEFAULT true CHECK (one), identifier text NOT NULL, added bigint NOT NULL);
INSERT INTO piton.cluster SELECT true, system_identifier::text, 0 FROM pg_control_system();

CREATE TABLE piton.tenants (
  tenant_id uuid PRIMARY KEY, name text NOT NULL, bodies boolean NOT NULL DEFAULT false, open_sessions boolean NOT NULL DEFAULT false,
  issuers text[] NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE piton.people (
  tenant_id uuid, person_id uuid, subject text NOT NULL, name text NOT NULL, email text, role text NOT NULL,
  consent boolean NOT NULL DEFAULT false, pseudonym uuid NOT NULL DEFAULT gen_random_uuid(), left_at timestamptz,
  CHECK (role IN ('admin', 'auditor', 'member')), PRIMARY KEY (tenant_id, person_id), UNIQUE (tenant_id, subject));
-- The key of their bodies, wrapped. A deleted one is not made again.
CREATE TABLE piton.person_keys (tenant_id uuid, person_id uuid, key bytea NOT NULL, PRIMARY KEY (tenant_id, person_id));
CREATE TABLE piton.machines (
  tenant_id uuid, machine_id uuid, person_id uuid NOT NULL, name text NOT NULL, public_key text NOT NULL, os text NOT NULL,
  piton_version text NOT NULL, joined_at timestamptz NOT NULL DEFAULT now(), left_at timestamptz, last_seen_at timestamptz,
  last_event_at timestamptz, clock_off_us bigint NOT NULL DEFAULT 0, inventory jsonb, canary jsonb, reported_at timestamptz,
  PRIMARY KEY (tenant_id, machine_id), FOREIGN KEY (tenant_id, person_id) REFERENCES piton.people);
CREATE TABLE piton.join_codes (
  tenant_id uuid, code_id uuid, hash bytea NOT NULL, person_id uuid NOT NULL, expires_at timestamptz NOT NULL, used_at timestamptz,
  PRIMARY KEY (tenant_id, code_id), FOREIGN KEY (tenant_id, person_id) REFERENCES piton.people);
CREATE TABLE piton.tokens (
  tenant_id uuid, token_id uuid, hash bytea NOT NULL, kind text NOT NULL, machine_id uuid, person_id uuid, name text, role text,
  created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL, revoked_at timestamptz,
  CHECK (kind IN ('machine', 'person', 'ci')), CHECK (role IN ('admin', 'auditor', 'member')), PRIMARY KEY (tenant_id, token_id),
  FOREIGN KEY (tenant_id, machine_id) REFERENCES piton.machines, FOREIGN KEY (tenant_id, person_id) REFERENCES piton.people);

CREATE TABLE piton.positions (
  tenant_id uuid, machine_id uuid, epoch text, seq bigint NOT NULL, moved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, machine_id, epoch), FOREIGN KEY (tenant_id, machine_id) REFERENCES piton.machines);
CREATE TABLE piton.gaps (
  tenant_id uuid, machine_id uuid, epoch text, from_seq bigint, to_seq bigint NOT NULL, reason text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tenant_id, machine_id, epoch, from_seq));
CREATE TABLE piton.reports (
  tenant_id uuid, machine_id uuid, at timestamptz DEFAULT clock_timestamp(), piton_version text NOT NULL, inventory jsonb NOT NULL,
  canary jsonb NOT NULL, PRIMARY KEY (tenant_id, machine_id, at));

-- No default partition: what has no day of its own is refused, and sent again.
CREATE SEQUENCE piton.change_order CACHE 1000;
CREATE TABLE piton.changes (
  tenant_id uuid NOT NULL, machine_id uuid NOT NULL, epoch text NOT NULL, seq bigint NOT NULL,
  day date NOT NULL DEFAULT (now() AT TIME ZONE 'utc')::date,
  xact bigint NOT NULL, place bigint NOT NULL DEFAULT nextval('piton.change_order'),
  at timestamptz NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), wall_us bigint, kind text NOT NULL, id text NOT NULL,
  person_id uuid NOT NULL, session text, repo text, agent text, event text, decision text,
  input bigint, output bigint, cache_read bigint, cache_write bigint, has_body boolean NOT NULL, header jsonb NOT NULL,
  PRIMARY KEY (tenant_id, machine_id, epoch, seq, day)) PARTITION BY RANGE (day);
CREATE INDEX changes_order ON piton.changes (tenant_id, xact, place);
CREATE INDEX changes_versions ON piton.changes (tenant_id, id, seq);
CREATE INDEX changes_at ON piton.changes (tenant_id, at);
CREATE INDEX changes_session ON piton.changes (tenant_id, session, at) WHERE session IS NOT NULL;
CREATE INDEX changes_person ON piton.changes (tenant_id, person_id, at);
CREATE INDEX changes_decision ON piton.changes (tenant_id, decision, at) WHERE decision IS NOT NULL;
CREATE INDEX changes_sessions ON piton.changes (tenant_id, at) WHERE kind = 'session';
CREATE INDEX changes_time ON piton.changes USING brin (received_at, at) WITH (autosummarize = on);
CREATE TABLE piton.bodies (
  tenant_id uuid NOT NULL, machine_id uuid NOT NULL, epoch text NOT NULL, seq bigint NOT NULL, day date NOT NULL,
  person_id uuid NOT NULL, body bytea NOT NULL,
  PRIMARY KEY (tenant_id, machine_id, epoch, seq, day)) PARTITION BY RANGE (day);
-- Apart from changes, since here the owner's policy lets search use the index: @@ is not leakproof.
CREATE TABLE piton.words (
  tenant_id uuid NOT NULL, machine_id uuid NOT NULL, epoch text NOT NULL, seq bigint NOT NULL, day date NOT NULL, at timestamptz NOT NULL,
  words tsvector NOT NULL) PARTITION BY RANGE (day);
CREATE INDEX words_found ON piton.words USING gin (words);

CREATE TABLE piton.hours (
  tenant_id uuid, hour timestamptz, agent text, repo text, events bigint NOT NULL, denials bigint NOT NULL, sessions bigint NOT NULL,
  machines bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL, cache_read bigint NOT NULL, cache_write bigint NOT NULL,
  PRIMARY KEY (tenant_id, hour, agent, repo));
CREATE TABLE piton.counted (tenant_id uuid PRIMARY KEY, xact bigint NOT NULL, place bigint NOT NULL);

CREATE TABLE piton.audit (
  tenant_id uuid, number bigint, at timestamptz NOT NULL, actor text NOT NULL, action text NOT NULL, subject text NOT NULL,
  detail text NOT NULL, hash bytea NOT NULL, PRIMARY KEY (tenant_id, number));
CREATE FUNCTION piton.only_appends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit log only appends' USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER only_appends BEFORE UPDATE OR DELETE OR TRUNCATE ON piton.audit FOR EACH STATEMENT EXECUTE FUNCTION piton.only_appends();

${TABLES}
CREATE POLICY owner_lists ON piton.tenants FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_searches ON piton.words FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION piton.tenant_ids() RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ SELECT tenant_id FROM piton.tenants $$;

-- Sets the tenant itself, and refuses to change it. A word of the index is the tenant, so that nobody searches through others.
CREATE FUNCTION piton.search(of uuid, text_ text, upto int)
  RETURNS TABLE (machine_id uuid, epoch text, seq bigint, day date, at timestamptz)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE query tsquery;
BEGIN
  IF of IS NULL OR of IS DISTINCT FROM coalesce(${TENANT}, of) THEN
    RAISE EXCEPTION 'not of this tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('piton.tenant', of::text, true);
  SELECT string_agg(quote_literal(word) || ':*', ' & ')::tsquery INTO query
    FROM unnest(tsvector_to_array(to_tsvector('simple', translate(text_, E'\\\\\\'', '  ')))) AS word;
  IF query IS NULL THEN RETURN; END IF;
  query := quote_literal('tenant:' || of::text)::tsquery && query;
  RETURN QUERY SELECT w.machine_id, w.epoch, w.seq, w.day, w.at FROM piton.words w
    WHERE w.tenant_id = of AND w.words @@ query ORDER BY w.at DESC, w.seq DESC LIMIT least(upto, 1000);
END $$;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA piton FROM PUBLIC;
GRANT EXECUTE ON FUNCTION piton.tenant_ids(), piton.search(uuid, text, int) TO piton_app;

GRANT SELECT ON piton.cluster, piton.migrations TO piton_app;
GRANT SELECT, INSERT ON piton.changes, piton.bodies, piton.words, piton.gaps, piton.reports, piton.audit TO piton_app;
GRANT SELECT, INSERT, UPDATE ON piton.tenants, piton.people, piton.machines, piton.join_codes, piton.tokens, piton.positions, piton.counted TO piton_app;
GRANT SELECT, INSERT, DELETE ON piton.person_keys, piton.hours TO piton_app;
GRANT USAGE ON SEQUENCE piton.change_order TO piton_app;
`,
};
