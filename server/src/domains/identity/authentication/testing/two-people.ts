import type { AccountActor } from '#core/actor.ts';
import { newId } from '#core/ids.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import type { TestServer } from '#testing/server.ts';
import { recordBrowserVisit } from '../../sessions/commands.ts';
import { confirmEmail, resendConfirmation, signIn, signUp } from '../commands.ts';
import { browserProof, sealUserId } from '../confirmations.ts';
import { identityJobs, type MailJob } from '../jobs.ts';
import { unlinkIdentityOf } from '../linking/commands.ts';
import { connectIdentity } from '../linking/identities.ts';
import { requestPasswordReset, resetPassword } from '../password-resets.ts';
import { verifyPassword } from '../passwords.ts';
import { connectPendingLogin, recognizePerson } from '../upstream/identify.ts';
import { findPendingLogin } from '../upstream/pending-logins.ts';
import { requestAddress } from '../upstream/request-address.ts';

export type TestPersonName = 'owner' | 'stranger';

/** The next step of one of the two people. A step that is not possible is skipped. */
export type SignInStep =
  | { who: TestPersonName; does: 'sign up' | 'start anew' | 'enter address' | 'resend' | 'ask for reset' | 'sign in' }
  | { who: TestPersonName; does: 'return from upstream'; vouched: boolean }
  | { who: 'owner'; does: 'confirm' | 'reset'; mail: number }
  | { who: 'owner'; does: 'link' | 'unlink' }
  | { who: 'clock'; does: 'deliver mail' }
  | { who: 'clock'; does: 'expire'; what: 'EmailConfirmation' | 'PasswordReset' | 'PendingIdentity' };

interface SignInPerson {
  password: string;
  /** The current sign-in of the browser. */
  interaction: string;
  /** The cookie of the latest sign-up. */
  proof: string | undefined;
  session: AccountActor | undefined;
}

const passwords = { owner: 'chosen by the owner', stranger: 'chosen by a stranger' } as const;

/**
 * Simulates an address, the owner of its mailbox, and an attacker, with the commands and database of a server. Asserts
 * after each step that the attacker has no access, and that a confirmed address was proved by the mailbox.
 */
export class TwoPeople {
  readonly #server: TestServer;
  readonly #id = newId();
  readonly #email = `owner.${this.#id}@example.org`;
  readonly #people: Record<TestPersonName, SignInPerson> = {
    owner: personWith('owner'),
    stranger: personWith('stranger'),
  };
  readonly #links: { confirm: string[]; reset: string[] } = { confirm: [], reset: [] };
  #proved = false;
  #checkedHash: string | undefined;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Runs the groups in sequence, and the steps of each group concurrently. */
  async walk(steps: readonly (readonly SignInStep[])[]): Promise<void> {
    try {
      for (const group of steps) {
        await Promise.all(group.map((step) => this.#take(step)));
        await this.#check();
      }
      if (this.#proved) await this.#checkOwnerGetsIn();
    } finally {
      await this.#cleanUp();
    }
  }

  async #take(step: SignInStep): Promise<void> {
    const { services } = this.#server;
    if (step.who === 'clock') return step.does === 'expire' ? this.#expire(step.what) : this.#deliver();
    const person = this.#people[step.who];
    switch (step.does) {
      case 'start anew':
        person.interaction = newId();
        return;
      case 'sign up': {
        await this.#passMinute();
        const account = { name: step.who, email: this.#email, password: person.password, invitation: undefined };
        const result = await signUp(services, account, randomAddress());
        if ('account' in result) throw new Error(`${step.who} signed up without a proof of the address`);
        if ('proof' in result) person.proof = result.proof;
        return;
      }
      case 'return from upstream':
        return this.#return(step.who, step.who === 'owner' && step.vouched);
      case 'enter address':
        return this.#enterAddress(step.who);
      case 'resend': {
        const account = await this.#account();
        if (!account) return;
        await this.#passMinute();
        return resendConfirmation(services, sealUserId(services.secrets, account.id));
      }
      case 'ask for reset':
        await this.#passMinute();
        await requestPasswordReset(services, this.#email, randomAddress(), () => undefined);
        return;
      case 'sign in': {
        const account = await this.#signIn(step.who);
        if (!account) return;
        this.#arrive(step.who, account.id);
        return connectPendingLogin(services, person.interaction, account, anonymous());
      }
      case 'confirm':
        return this.#confirm(step.mail);
      case 'reset':
        return this.#reset(step.mail);
      case 'link':
        return this.#link();
      case 'unlink':
        return this.#unlink();
    }
  }

  async #enterAddress(who: TestPersonName): Promise<void> {
    const { services } = this.#server;
    const person = this.#people[who];
    const find = () => services.database.global((tx) => findPendingLogin(tx, person.interaction));
    if (!(await find())) await this.#return(who, false);
    const pending = await find();
    if (!pending) return;
    const { accountId } = await requestAddress(services, pending, this.#email, undefined);
    person.proof = browserProof(services.secrets, accountId, pending.id);
  }

  async #link(): Promise<void> {
    const actor = await this.#freshSession();
    const identity = { ...this.#identityOf('owner', false), connection: 'acme', provider: 'oidc' };
    if (actor) await connectIdentity(this.#server.services, actor, identity, '/account');
  }

  async #unlink(): Promise<void> {
    const actor = await this.#freshSession();
    const id = `github|${this.#identityOf('owner', false).subject}`;
    if (actor) await unlinkIdentityOf(this.#server.services, actor, id).catch(expectRefusal);
  }

  async #return(who: TestPersonName, vouched: boolean): Promise<void> {
    const { services } = this.#server;
    const found = await recognizePerson(
      services,
      this.#people[who].interaction,
      this.#identityOf(who, vouched),
      anonymous(),
    );
    if ('account' in found) this.#arrive(who, found.account.id);
  }

  async #confirm(mail: number): Promise<void> {
    await this.#deliver();
    const token = this.#links.confirm.at(-1 - mail);
    if (token === undefined) return;
    const { proof, password } = this.#people.owner;
    const result = await confirmEmail(this.#server.services, { token, proof, password, request: request() });
    if ('amr' in result) this.#arrive('owner', result.confirmation.accountId);
  }

  async #reset(mail: number): Promise<void> {
    await this.#deliver();
    const token = this.#links.reset.at(-1 - mail);
    if (token === undefined) return;
    const origin = { requestId: newId(), address: randomAddress(), browser: '' };
    const link = await resetPassword(this.#server.services, token, this.#people.owner.password, origin);
    if (link) this.#arrive('owner', link.accountId);
  }

  #arrive(who: TestPersonName, accountId: string): void {
    if (who === 'stranger') throw new Error('the stranger got in');
    this.#proved = true;
    const actor = { accountId, email: this.#email, requestId: newId(), address: randomAddress() };
    this.#people.owner.session = { ...actor, sessionId: newId() };
  }

  /** A valid session of the owner with a recent sign-in, if there is one. */
  async #freshSession(): Promise<AccountActor | undefined> {
    const actor = this.#people.owner.session;
    if (!actor?.sessionId) return undefined;
    const { accountId, sessionId, address = '' } = actor;
    const loginAt = Date.now() / 1000;
    const visit = { uid: sessionId, accountId, userAgent: '', address, loginAt, login: undefined, secondFactor: false };
    await recordBrowserVisit(this.#server.services, visit);
    const { rows } = await this.#query<{ id: string }>('select id from account_session where uid = $1', [sessionId]);
    return { ...actor, sessionId: rows[0]?.id };
  }

  async #signIn(who: TestPersonName): Promise<{ id: string; email: string } | undefined> {
    const origin = { requestId: newId(), address: randomAddress(), browser: '' };
    const { services } = this.#server;
    const result = await signIn(services, {
      email: this.#email,
      password: this.#people[who].password,
      origin,
      findDevice: () => undefined,
    });
    if ('tooMany' in result) throw new Error('a limit got in the way of the test');
    return 'account' in result ? result.account : undefined;
  }

  async #check(): Promise<void> {
    const account = await this.#account();
    if (!account?.email_verified_at) return;
    if (!this.#proved) throw new Error('the address is confirmed without proof of the mailbox');
    const foreign = account.subjects.filter((subject) => !subject.startsWith('owner'));
    if (foreign.length > 0) throw new Error('an identity of the stranger opens the account');
    if (account.hash === null || account.hash === this.#checkedHash) return;
    this.#checkedHash = account.hash;
    if (await verifyPassword(passwords.stranger, account.hash, this.#server.config)) {
      throw new Error('the password of the stranger opens the account');
    }
  }

  async #checkOwnerGetsIn(): Promise<void> {
    const account = await this.#account();
    const withPassword = account?.hash != null && (await this.#signIn('owner')) !== undefined;
    if (!withPassword && !account?.subjects.some((subject) => subject.startsWith('owner'))) {
      throw new Error('the owner proved the mailbox and has no way in');
    }
    if (await this.#signIn('stranger')) throw new Error('the stranger got in at the end');
  }

  /** Processes queued emails and stores their links for the owner. */
  async #deliver(): Promise<void> {
    const { rows } = await this.#query<{ data: MailJob }>(
      `delete from pgboss.job j using account a
       where j.name = 'identity.mail' and a.email = $1 and j.data ->> 'accountId' = a.id::text returning j.data`,
      [this.#email],
    );
    const [mailJob] = identityJobs(this.#server.services);
    if (mailJob?.name !== 'identity.mail') throw new Error('the job of mails is not the first');
    for (const { data } of rows) await mailJob.handle(data);
    const mails = await this.#query<{ body_text: string }>(
      'delete from mail where recipient = $1 returning body_text',
      [this.#email],
    );
    for (const { body_text } of mails.rows) {
      const [, kind, token = ''] = /\/oidc\/(verify|reset)\?token=(\S+)/.exec(body_text) ?? [];
      if (kind !== undefined) this.#links[kind === 'verify' ? 'confirm' : 'reset'].push(token);
    }
  }

  async #expire(model: string): Promise<void> {
    const account = await this.#account();
    await this.#query('update oidc_payload set expires_at = now() where model = $1 and uid = any($2)', [
      model,
      [account?.id, this.#people.owner.interaction, this.#people.stranger.interaction],
    ]);
  }

  async #account() {
    const { rows } = await this.#query<{
      id: string;
      email_verified_at: Date | null;
      hash: string | null;
      subjects: string[];
    }>(
      `select a.id, a.email_verified_at, w.hash,
         array(select subject from account_identity i where i.account_id = a.id) as subjects
       from account a left join account_password w on w.account_id = a.id where a.email = $1`,
      [this.#email],
    );
    return rows[0];
  }

  /** Removes rate limits, which are not part of this test. */
  #passMinute = () =>
    this.#query('delete from attempt where key in (select key from attempt for update skip locked)', []);

  async #cleanUp(): Promise<void> {
    const account = await this.#account();
    const uids = [account?.id, this.#people.owner.interaction, this.#people.stranger.interaction];
    await this.#query('delete from oidc_payload where uid = any($1)', [uids]);
    await this.#query(`delete from pgboss.job where data ->> 'accountId' = $1`, [account?.id]);
  }

  #identityOf(who: TestPersonName, vouched: boolean): IdentityProviderUser {
    return {
      connection: 'github',
      provider: 'github',
      subject: `${who} ${this.#id}`,
      name: who,
      email: this.#email,
      emailVerified: vouched,
      verifiedEmails: vouched ? [this.#email] : [],
      groups: undefined,
      profile: {},
      login: `${who}-${this.#id}`,
    };
  }

  #query = <Row extends object>(text: string, values: unknown[]) =>
    this.#server.services.database.pool.query<Row & Record<string, unknown>>(text, values);
}

const personWith = (who: TestPersonName): SignInPerson => ({
  password: passwords[who],
  interaction: newId(),
  proof: undefined,
  session: undefined,
});

const randomAddress = () =>
  `2001:db8:${[0, 0].map(() => Math.floor(Math.random() * 0xffff).toString(16)).join(':')}::1`;
const request = () => ({ id: newId(), ip: randomAddress() });
const anonymous = () => ({ accountId: undefined, requestId: newId(), address: randomAddress() });

function expectRefusal(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'Refusal') throw error;
}
