import { Authorized, Extensions } from 'type-graphql';
import { Forbidden, Unauthorized } from '../errors.js';
import type { Area } from './area.js';
import type { Caller, Credentials, JwtCaller, Privilege, Scope } from './caller.js';

/** Who may use a field. */
export interface AccessRule {
  /** `bearer`: any token of a user; `jwt`: not a personal access token; `service`: a service key and nothing else. */
  readonly credential: 'bearer' | 'jwt' | 'service';
  /** The scope that a token needs; left out where every valid token is enough. */
  readonly scope?: Scope;
  /** Another scope that it needs beside that one. */
  readonly alsoScope?: Scope;
  /** The caller needs this privilege; `sysadmin` includes `admin`. */
  readonly privilege?: Privilege;
  /** Whether each execution of the field counts against the request limits of its caller and of the caller's tenant. */
  readonly rateLimited?: boolean;
  /** The area of the calls of models that the field makes; their ledger record then takes the Idempotency-Key. */
  readonly metered?: Area;
  /**
   * Whether the field creates nothing, and answers with what it was sent: such an answer is kept nowhere, so that no
   * Idempotency-Key is taken.
   */
  readonly stateless?: boolean;
  /** Whether the field takes a caller's own key for its calls of models. */
  readonly byok?: boolean;
}

/** What the schema's extensions say of a field's access; read at start and by the REST engine. */
export interface AccessExtension {
  readonly rule?: AccessRule;
  /** Why the field needs no caller. */
  readonly public?: string;
}

type FieldDecorator = PropertyDecorator & MethodDecorator;

/** Puts an access rule on a field; without one, or `@Public`, the process does not start. */
export function Access(rule: AccessRule): FieldDecorator {
  return both(Authorized<AccessRule>(rule) as FieldDecorator, Extensions({ rule }) as FieldDecorator);
}

/** Opens a field to everyone, with the reason why. */
export function Public(why: string): FieldDecorator {
  return Extensions({ public: why }) as FieldDecorator;
}

function both(first: FieldDecorator, second: FieldDecorator): FieldDecorator {
  return ((target: object, key: string | symbol, descriptor?: PropertyDescriptor) => {
    (first as MethodDecorator)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
    (second as MethodDecorator)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  }) as FieldDecorator;
}

/**
 * Applies a rule to a request.
 * @throws Unauthorized where there is no caller, or a service key where a user is needed, and the other way round;
 * Forbidden where the caller lacks scope, privilege or kind of token
 */
export function requireAccess(credentials: Credentials, rule: AccessRule): void {
  if (rule.credential === 'service') return void requireServiceKey(credentials);
  const caller = callerOf(credentials);
  if (rule.credential === 'jwt' && caller.credential !== 'jwt') {
    throw new Forbidden('This needs the token of a sign-in; a personal access token is not enough.');
  }
  for (const scope of [rule.scope, rule.alsoScope]) {
    if (scope && !hasScope(caller, scope)) throw new Forbidden(`This token lacks the scope ${scope}.`);
  }
  if (rule.privilege && !hasPrivilege(caller, rule.privilege)) {
    throw new Forbidden(`This needs the privilege ${rule.privilege}.`);
  }
}

/**
 * The id of the service key that a request came with.
 * @throws Unauthorized for everything else, tokens of users included
 */
export function requireServiceKey({ serviceKeyId }: Credentials): string {
  if (serviceKeyId === undefined) throw new Unauthorized('A valid service key is required.');
  return serviceKeyId;
}

/** Whether the caller's token may be used for this. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.has('*') || caller.scopes.has(scope);
}

/** Whether the caller holds a privilege; `sysadmin` includes `admin`. */
export function hasPrivilege(caller: Caller, privilege: Privilege): boolean {
  return caller.privileges.includes(privilege) || (privilege === 'admin' && caller.privileges.includes('sysadmin'));
}

/**
 * The caller of a field that has an access rule.
 * @throws Unauthorized where there is none
 */
export function callerOf(credentials: Credentials): Caller {
  if (!credentials.caller) throw credentials.credentialError ?? new Unauthorized();
  return credentials.caller;
}

/**
 * The caller of a field whose access rule asks for a JWT.
 * @throws Unauthorized where there is none
 */
export function jwtCallerOf(credentials: Credentials): JwtCaller {
  const caller = callerOf(credentials);
  if (caller.credential !== 'jwt') throw new Unauthorized();
  return caller;
}
