import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PayloadTooLarge, TooMuchAtOnce, Unavailable } from '../../errors.js';
import { untilAborted } from '../async/until-aborted.js';
import type { BudgetOwner, BudgetShares, SharedBudget } from '../async/shared-budget.js';
import { admitBytes } from './disk-space.js';
import type { DiskSpace } from './disk-space.js';

/** Uploads and decoding take some seconds, mostly. */
const RETRY_SECONDS = 10;
/** A program that is being ended may still write, and descriptors may be short for a moment. */
const DELETION = { recursive: true, force: true, maxRetries: 3 } as const;

interface ScratchFolderParts {
  readonly owner: BudgetOwner | undefined;
  readonly budget: SharedBudget;
  readonly shares: BudgetShares;
  readonly disk: DiskSpace;
}

/** A folder for the files of one piece of work. They and what they take of the disk are given back with it. */
export class ScratchFolder implements AsyncDisposable {
  private held = 0;
  private unwritten = 0;
  /** What was going on in it may still end. */
  private isOver = false;

  constructor(
    /** Absolute. */
    readonly path: string,
    private readonly parts: ScratchFolderParts,
  ) {}

  /**
   * Sets disk aside for bytes that are about to be written into the folder.
   * @throws TooMuchAtOnce where the share of the user or of the tenant is used up; Unavailable where all of it is, or the
   * disk has no room; PayloadTooLarge where this folder alone would need more than a user's share
   */
  async reserve(bytes: number): Promise<void> {
    const { owner, budget, shares, disk } = this.parts;
    if (this.isOver) throw new Error('The work that this folder was for is over.');
    if (this.held + bytes > shares.user) throw new PayloadTooLarge(shares.user, 'What the file needs on the disk');
    const full = budget.take(owner, bytes);
    if (full) throw refusalOf(full);
    this.held += bytes;
    try {
      await disk.claim(this.path, bytes);
    } catch (error) {
      this.giveBack(bytes);
      throw error;
    }
    // The folder may be gone since, and what it had is given back.
    if (this.isOver) disk.settle(bytes);
    else this.unwritten += bytes;
  }

  /** Says that so many of the reserved bytes are on the disk now. */
  written(bytes: number): void {
    if (this.isOver) return;
    this.unwritten -= bytes;
    this.parts.disk.settle(bytes);
  }

  /** Gives back reserved bytes that will not be written. */
  release(bytes: number): void {
    this.written(bytes);
    this.giveBack(bytes);
  }

  /**
   * Writes a file.
   * @param expectedBytes reserved before the first byte is read; beyond them, and by default, in steps as they come
   * @returns its path
   * @throws as `reserve` does; what the source and the file system throw; the reason of the signal
   */
  async write(
    name: string,
    source: AsyncIterable<Uint8Array>,
    { expectedBytes = 0, signal }: { readonly expectedBytes?: number | undefined; readonly signal: AbortSignal },
  ): Promise<string> {
    const path = join(this.path, name);
    // The signal of a pipeline would wait for the source.
    const bytes = admitBytes(untilAborted(source, signal), expectedBytes, {
      reserve: (more) => this.reserve(more),
      written: (some) => this.written(some),
      unused: (rest) => this.release(rest),
    });
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return path;
  }

  /** @throws what the file system throws; what the folder had is given back all the same, and its files end with the process */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await rm(this.path, DELETION);
    } finally {
      this.release(this.unwritten);
      this.giveBack(this.held);
      this.isOver = true;
    }
  }

  private giveBack(bytes: number): void {
    if (this.isOver) return;
    this.held -= bytes;
    this.parts.budget.release(this.parts.owner, bytes);
  }
}

function refusalOf(share: keyof BudgetShares): Error {
  const advice = 'wait until they are done, or send fewer at once';
  if (share === 'user')
    return new TooMuchAtOnce(`Too many large files of yours are being worked on: ${advice}.`, RETRY_SECONDS);
  if (share === 'tenant') {
    return new TooMuchAtOnce(
      `Too many large files of your organization are being worked on: ${advice}.`,
      RETRY_SECONDS,
    );
  }
  return new Unavailable('Too many large files are being worked on at the moment. Please try again.', RETRY_SECONDS);
}
