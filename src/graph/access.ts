import { Authorized, Extensions } from 'type-graphql';
import { Forbidden, Unauthorized } from '../errors.js';
import type { Caller, Privilege, RequestContext } from '../context.js';

/** Who may use a field (CONTRACT, section 1, authentication classes). */
export interface AccessRule {
  /** `bearer`: any token; `jwt`: not a personal access token. */
  readonly credential: 'bearer' | 'jwt';
  /** The scope that a token needs; left out where every valid token is enough. */
  readonly scope?: string;
  /** The caller needs this privilege; `sysadmin` includes `admin`. */
  readonly privilege?: Privilege;
  /** The call counts against the caller's request limit. */
  readonly limited?: boolean;
}

/** What the schema's extensions say of a field's access; read at start and by the REST engine. */
export interface AccessExtension {
  readonly access?: AccessRule;
  /** Why the field needs no caller. */
  readonly public?: string;
}

type FieldDecorator = PropertyDecorator & MethodDecorator;

/** Puts an access rule on a field; without one, or `@Public`, the process does not start. */
export function Access(rule: AccessRule): FieldDecorator {
  return both(Authorized<AccessRule>(rule) as FieldDecorator, Extensions({ access: rule }) as FieldDecorator);
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
 * @throws Unauthorized where there is no caller, Forbidden where the caller lacks scope, privilege or kind of token
 */
export function requireAccess(context: RequestContext, rule: AccessRule): Caller {
  const { caller } = context;
  if (!caller) throw context.credentialError ?? new Unauthorized();
  if (rule.scope && !caller.scopes.has('*') && !caller.scopes.has(rule.scope)) {
    throw new Forbidden(`This token lacks the scope ${rule.scope}.`);
  }
  if (rule.privilege && !hasPrivilege(caller, rule.privilege)) {
    throw new Forbidden(`This needs the privilege ${rule.privilege}.`);
  }
  return caller;
}

/** Whether the caller holds a privilege; `sysadmin` includes `admin`. */
export function hasPrivilege(caller: Caller, privilege: Privilege): boolean {
  return caller.privileges.includes(privilege) || (privilege === 'admin' && caller.privileges.includes('sysadmin'));
}

/**
 * The caller of a field that has an access rule.
 * @throws Unauthorized where there is none
 */
export function callerOf(context: RequestContext): Caller {
  if (!context.caller) throw context.credentialError ?? new Unauthorized();
  return context.caller;
}
