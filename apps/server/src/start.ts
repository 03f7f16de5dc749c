import { keepHeapsSmall, runResident } from '@piton/contracts/resident-program';

keepHeapsSmall();
runResident(module, require, 'server');
