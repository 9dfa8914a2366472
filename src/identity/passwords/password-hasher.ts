import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { Unavailable } from '../../errors.js';

const argon2Async = promisify(argon2);

/** The parameters that OWASP recommends for argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Each hash takes a processor and 19 MiB for a while. */
const AT_ONCE = 2;

/** Hashes and checks passwords with argon2id, off the event loop and a few at once. */
export class PasswordHasher {
  private readonly limit = pLimit(AT_ONCE);
  /** No password has this hash; checking against it takes as long as checking against a real one. */
  private readonly nobody = encode(PARAMETERS, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

  /** @param maxWaiting how many may wait for their turn before others are turned away */
  constructor(private readonly maxWaiting = 200) {}

  /**
   * @returns a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`
   * @throws Unavailable when too many others wait
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return encode(PARAMETERS, salt, await this.derive(password, salt, PARAMETERS));
  }

  /**
   * Whether a password fits a hash. Without a hash the answer is no, after the same time.
   * @throws Unavailable when too many others wait
   */
  async verify(hash: string | null | undefined, password: string): Promise<boolean> {
    const { parameters, salt, tag } = decode(hash ?? this.nobody);
    return timingSafeEqual(await this.derive(password, salt, parameters), tag);
  }

  private derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
    if (this.limit.pendingCount >= this.maxWaiting) {
      throw new Unavailable('Too many sign-ins at the moment. Please try again.', 2);
    }
    // Keyboards write the same letter in different code points.
    const message = password.normalize('NFKC');
    return this.limit(() => argon2Async('argon2id', { message, nonce: salt, tagLength: TAG_BYTES, ...parameters }));
  }
}

interface Parameters {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

function encode({ memory, passes, parallelism }: Parameters, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`;
}

function decode(hash: string): { parameters: Parameters; salt: Buffer; tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) throw new Error('A stored password hash has an unknown form.');
  const [memory = 0, passes = 0, parallelism = 0] = match.slice(1, 4).map(Number);
  const [salt, tag] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  return { parameters: { memory, passes, parallelism }, salt, tag };
}
