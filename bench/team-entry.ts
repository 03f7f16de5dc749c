export { migrateTeamStore, openTeamStore } from '../packages/store/src/postgres/team/index.ts';
