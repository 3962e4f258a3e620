import { release } from '#database/release.ts';
import { createUser } from './accounts.ts';
import { backup, verifyBackup } from './backup.ts';
import { aligned, type Command, type CommandOutput, helpOf, readGiven } from './command.ts';
import { doctor } from './doctor.ts';
import { setEmployee } from './employees.ts';
import { erasePerson } from './erase.ts';
import { deleteExpiredEvents } from './events.ts';
import { listFlags, setFlag, showFlagUsage, unsetFlag } from './flags.ts';
import { setUpGithubApp } from './github-app.ts';
import { retireMasterKey, rotateMasterKey, rotateTokenKey, rotateWebhookSecrets } from './keys.ts';
import { closeLedgerEpoch, rotateLedgerKey, rotateLedgerKeys } from './ledger.ts';
import { addMember } from './members.ts';
import { migrateCommand } from './migrate.ts';
import { showOperatorLog } from './operator-log.ts';
import { resetOrganizationSecurity, verifyOrganizationDomain } from './organization-security.ts';
import { createOrganization } from './organizations.ts';
import { allowOutbound, listOutbound, revokeOutbound } from './outbound.ts';
import { answerText, failureText } from './output.ts';
import { restore } from './restore.ts';
import { uploadSarifFile } from './sarif.ts';
import { resetFactors } from './second-factors.ts';
import { seed } from './seed.ts';
import { issueToken } from './tokens.ts';
import { verify } from './verify.ts';
import { witness } from './witness.ts';

const commands: readonly Command[] = [
  createUser,
  setEmployee,
  resetFactors,
  createOrganization,
  verifyOrganizationDomain,
  resetOrganizationSecurity,
  addMember,
  erasePerson,
  deleteExpiredEvents,
  issueToken,
  listFlags,
  setFlag,
  unsetFlag,
  showFlagUsage,
  listOutbound,
  allowOutbound,
  revokeOutbound,
  showOperatorLog,
  migrateCommand,
  setUpGithubApp,
  doctor,
  rotateMasterKey,
  retireMasterKey,
  rotateTokenKey,
  rotateWebhookSecrets,
  rotateLedgerKeys,
  closeLedgerEpoch,
  rotateLedgerKey,
  witness,
  verify,
  verifyBackup,
  backup,
  restore,
  uploadSarifFile,
  seed,
];

/** The result of a command: its exit code, standard output and standard error. */
export interface CommandResult {
  code: number;
  out: string;
  complaint: string;
}

/** Finds the command that `args` name, and runs it. */
export async function run(args: readonly string[]): Promise<CommandResult> {
  const json = args.includes('--json');
  try {
    const found = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
    if (!found && args.includes('--version')) {
      return { code: 0, out: answerText({ json: { version: release }, lines: [release] }, json), complaint: '' };
    }
    if (!found) return commandNotFound(args, json);
    const given = readGiven(found, args.slice(found.name.split(' ').length));
    const answer = given.help ? helpAnswer(found) : await found.run(given);
    return { code: answer.failed ? 1 : 0, out: answerText(answer, given.json), complaint: '' };
  } catch (error) {
    return { code: 1, out: '', complaint: failureText(error, json) };
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
    ...aligned(commands.map(({ name, takes = [], says }) => [[name, ...takes].join(' '), says])),
    '',
    'Each command supports --help.',
  ];
  if (words.length > 0) {
    const unknown = new Error(`There is no command "${words.join(' ')}". See: npm run sightline -- --help`);
    return { code: 1, out: '', complaint: failureText(unknown, json) };
  }
  const list = { json: { commands: commands.map(({ name, says }) => ({ name, says })) }, lines };
  // Without arguments this is an error; with --help it is the requested output.
  return { code: args.includes('--help') ? 0 : 1, out: answerText(list, json), complaint: '' };
}
