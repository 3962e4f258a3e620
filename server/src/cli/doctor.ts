import { type Config, readConfig } from '../config.ts';
import { command } from './command.ts';
import { hasCluster, openDatabase } from './command-resources.ts';
import { type DoctorCheck, failedCheck, passedCheck, runCheck, warningCheck } from './doctor/check.ts';
import {
  checkAppLogin,
  checkBacklog,
  checkBackup,
  checkJobs,
  checkMigrations,
  checkRoles,
  checkTenancy,
  checkVersion,
} from './doctor/database.ts';
import {
  checkClickHouse,
  checkFlags,
  checkGit,
  checkGithub,
  checkMail,
  checkOutbound,
  checkPublicUrl,
  checkRedis,
  checkSandbox,
  checkServer,
  checkSpace,
} from './doctor/installation.ts';
import { checkLedgers } from './doctor/ledger.ts';
import { checkMasterKey, checkSigningKey } from './doctor/secrets.ts';

export const doctorCommand = command({
  name: 'doctor',
  description: 'Checks this installation and prints a remedy for each problem.',
  options: {
    ledger: {
      description:
        'Verify every ledger entry of each organization instead. Takes about a minute per few million entries.',
    },
    org: { valueName: 'SLUG|ID', description: 'With --ledger: only this organization.' },
  },
  run: async ({ options }) => {
    const checks = options.ledger ? await checkLedgers(options.org) : await examine();
    const failed = checks.filter(({ state }) => state === 'fail').length;
    return {
      json: { healthy: failed === 0, checks },
      lines: checks.flatMap(({ state, name, message, advice }) => [
        `${state.padEnd(4)}  ${name.padEnd(14)}  ${message}`,
        ...(advice === undefined ? [] : [`${' '.repeat(22)}${advice}`]),
      ]),
      failed: failed > 0,
    };
  },
});

async function examine(): Promise<DoctorCheck[]> {
  const name = 'configuration';
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const description = (error as Error).message.replaceAll('\n  ', ' ');
    return [failedCheck(name, description, 'docs/operations/configuration.md explains every variable.')];
  }
  const mode = config.production ? 'production' : config.NODE_ENV;
  return [
    passedCheck(name, `usable, for ${mode}`),
    checkPublicUrl(config),
    await runCheck('mail', () => checkMail(config)),
    ...(config.github ? [await runCheck('GitHub', () => checkGithub(config))] : []),
    checkOutbound(config),
    await runCheck('git', checkGit),
    await runCheck('feature flags', () => checkFlags(config)),
    await runCheck('ClickHouse', () => checkClickHouse(config)),
    await runCheck('Redis', () => checkRedis(config)),
    await runCheck('disk space', () => checkSpace(config)),
    ...(await examineDatabase(config)),
    await runCheck('server', () => checkServer(config)),
    await runCheck('sandbox', () => checkSandbox(config)),
  ];
}

async function examineDatabase(config: Config): Promise<DoctorCheck[]> {
  if (config.DATABASE_URL === undefined && !(await hasCluster(config))) {
    return [warningCheck('database', `${config.dataDir} has none`, 'The first start creates it: npm start')];
  }
  let database: Awaited<ReturnType<typeof openDatabase>>;
  try {
    database = await openDatabase(config);
  } catch (error) {
    return [failedCheck('database', (error as Error).message)];
  }
  const { ownerUrl, kind } = database;
  try {
    const version = await runCheck('database', () => checkVersion(ownerUrl, kind));
    if (version.state === 'fail') return [version];
    const masterKey = await runCheck('master key', () => checkMasterKey(config));
    const migrations = await runCheck('migrations', () => checkMigrations(ownerUrl));
    if (migrations.state === 'fail') return [version, migrations];
    return [
      version,
      migrations,
      await runCheck('roles', () => checkRoles(ownerUrl)),
      ...(config.DATABASE_APP_URL === undefined
        ? []
        : [await runCheck('app login', () => checkAppLogin(config.DATABASE_APP_URL ?? ''))]),
      await runCheck('tenancy', () => checkTenancy(ownerUrl)),
      masterKey,
      ...(config.github || masterKey.state === 'fail'
        ? []
        : [await runCheck('GitHub', () => checkGithub(config, ownerUrl))]),
      await runCheck('signing key', () => checkSigningKey(config, ownerUrl)),
      await runCheck('jobs', () => checkJobs(ownerUrl)),
      await runCheck('backup', () => checkBackup(ownerUrl)),
      ...(await checkBacklog(ownerUrl).catch((error: Error) => [failedCheck('ledger', error.message)])),
    ];
  } finally {
    await database.close();
  }
}
