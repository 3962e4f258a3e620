import { releaseVersion } from '#database/release.ts';
import { setEmployeeCommand, setOperatorCommand } from './account-roles.ts';
import { createUser } from './accounts.ts';
import { attachAgentSession } from './agent-session.ts';
import { signResultCommand, verifyResultCommand } from './auditor-results.ts';
import { backupCommand, verifyBackup } from './backup.ts';
import { connectSlackCommand, disconnectChatCommand, listChatCommand } from './chat.ts';
import { connectCodeHost, disconnectCodeHostByCommand, listCodeHosts } from './code-hosts.ts';
import { aligned, type Command, type CommandOutput, helpOf, readGiven } from './command.ts';
import { demoCommand } from './demo/demo.ts';
import {
  connectDirectoryCommand,
  disconnectDirectoryCommand,
  rotateDirectoryTokenCommand,
  showDirectory,
} from './directory.ts';
import { doctorCommand } from './doctor.ts';
import { erasePersonCommand } from './erase.ts';
import { archiveStatus, deleteExpiredEvents, restoreArchive, runArchive, verifyArchive } from './events.ts';
import { listFlags, setFlag, showFlagUsage, unsetFlag } from './flags.ts';
import { setUpGithubApp } from './github-app.ts';
import { listJobsCommand, retryJobCommand } from './jobs.ts';
import { retireMasterKey, rotateMasterKey, rotateTokenKey, rotateWebhookSecrets } from './keys.ts';
import { closeLedgerEpoch, rotateLedgerKey, rotateLedgerKeys } from './ledger.ts';
import { addMember } from './members.ts';
import { migrateCommand } from './migrate.ts';
import {
  deleteMovedOrganizationCommand,
  exportOrganization,
  importOrganization,
  reopenOrganizationCommand,
} from './move-organization.ts';
import { showOperatorLog } from './operator-log.ts';
import { resetOrganizationSecurity, verifyOrganizationDomain } from './organization-security.ts';
import { createOrganization } from './organizations.ts';
import { allowOutbound, listOutbound, revokeOutbound } from './outbound.ts';
import { formatError, formatOutput } from './output.ts';
import { reconcileCommand } from './reconcile.ts';
import { restoreCommand } from './restore.ts';
import { connectSamlCommand, disconnectSamlCommand, showSaml } from './saml.ts';
import { uploadSarifFile } from './sarif.ts';
import { connectScannerByCommand, disconnectScannerByCommand, listScanners, syncScannerByCommand } from './scanners.ts';
import { resetSecondFactorsCommand } from './second-factors.ts';
import { seedCommand } from './seed.ts';
import { issueToken } from './tokens.ts';
import { connectTracker, disconnectTracker, listTrackers, testTracker } from './trackers.ts';
import { verifyCommand } from './verify.ts';
import { witnessCommand } from './witness.ts';

const commands: readonly Command[] = [
  createUser,
  setEmployeeCommand,
  setOperatorCommand,
  resetSecondFactorsCommand,
  createOrganization,
  exportOrganization,
  importOrganization,
  deleteMovedOrganizationCommand,
  reopenOrganizationCommand,
  verifyOrganizationDomain,
  resetOrganizationSecurity,
  connectDirectoryCommand,
  rotateDirectoryTokenCommand,
  disconnectDirectoryCommand,
  showDirectory,
  connectSamlCommand,
  disconnectSamlCommand,
  showSaml,
  addMember,
  erasePersonCommand,
  deleteExpiredEvents,
  archiveStatus,
  runArchive,
  verifyArchive,
  restoreArchive,
  issueToken,
  listFlags,
  setFlag,
  unsetFlag,
  showFlagUsage,
  listOutbound,
  allowOutbound,
  revokeOutbound,
  connectSlackCommand,
  disconnectChatCommand,
  listChatCommand,
  listCodeHosts,
  connectCodeHost,
  disconnectCodeHostByCommand,
  listTrackers,
  connectTracker,
  disconnectTracker,
  testTracker,
  listScanners,
  connectScannerByCommand,
  syncScannerByCommand,
  disconnectScannerByCommand,
  showOperatorLog,
  listJobsCommand,
  retryJobCommand,
  migrateCommand,
  setUpGithubApp,
  doctorCommand,
  rotateMasterKey,
  retireMasterKey,
  rotateTokenKey,
  rotateWebhookSecrets,
  rotateLedgerKeys,
  closeLedgerEpoch,
  rotateLedgerKey,
  witnessCommand,
  verifyCommand,
  reconcileCommand,
  signResultCommand,
  verifyResultCommand,
  verifyBackup,
  backupCommand,
  restoreCommand,
  uploadSarifFile,
  attachAgentSession,
  seedCommand,
  demoCommand,
];

/** The result of a command: its exit code, standard output and standard error. */
export interface CommandResult {
  code: number;
  out: string;
  errorOutput: string;
}

/** Finds the command that `args` name, and runs it. */
export async function runCommandLine(args: readonly string[]): Promise<CommandResult> {
  const json = args.includes('--json');
  try {
    const found = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
    if (!found && args.includes('--version')) {
      return {
        code: 0,
        out: formatOutput({ json: { version: releaseVersion }, lines: [releaseVersion] }, json),
        errorOutput: '',
      };
    }
    if (!found) return commandNotFound(args, json);
    const given = readGiven(found, args.slice(found.name.split(' ').length));
    const answer = given.help ? helpAnswer(found) : await found.run(given);
    return { code: answer.failed ? 1 : 0, out: formatOutput(answer, given.json), errorOutput: '' };
  } catch (error) {
    return { code: 1, out: '', errorOutput: formatError(error, json) };
  }
}

const helpAnswer = (of: Command): CommandOutput => ({ json: { help: helpOf(of) }, lines: helpOf(of) });

function commandNotFound(args: readonly string[], json: boolean): CommandResult {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const lines = [
    'Commands for operators, on the machine with the data directory.',
    '',
    '  npm run sightline -- COMMAND [options]',
    '',
    ...aligned(commands.map(({ name, valueName = [], description }) => [[name, ...valueName].join(' '), description])),
    '',
    'Each command supports --help.',
  ];
  if (words.length > 0) {
    const unknown = new Error(`There is no command "${words.join(' ')}". See: npm run sightline -- --help`);
    return { code: 1, out: '', errorOutput: formatError(unknown, json) };
  }
  const list = { json: { commands: commands.map(({ name, description }) => ({ name, description })) }, lines };
  // Without arguments this is an error; with --help it is the requested output.
  return { code: args.includes('--help') ? 0 : 1, out: formatOutput(list, json), errorOutput: '' };
}
