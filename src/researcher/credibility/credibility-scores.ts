import type { CredibilityConfig } from './credibility-config.entity.js';
import { bySpecificity, fitsPattern } from './domain-pattern.js';

/** How credible hosts are by a configuration: the most specific pattern that fits a host tells its score. */
export class CredibilityScores {
  /** What scores less is not wanted, 0 to 1. */
  readonly minScore: number;
  private readonly rules: CredibilityConfig['rules'];
  private readonly defaultScore: number;

  constructor({ rules, defaultScore, minScore }: Pick<CredibilityConfig, 'rules' | 'defaultScore' | 'minScore'>) {
    this.minScore = minScore;
    this.defaultScore = defaultScore;
    // Of equally specific ones the first in the list comes first: the sort is stable.
    this.rules = rules.toSorted((one, other) => bySpecificity(one.pattern, other.pattern));
  }

  /**
   * The score of a host, 0 to 1.
   * @param hostname as `URL` has it; `www.` in front of it may be left out in a pattern
   */
  scoreOf(hostname: string): number {
    const host = hostname.replace(/\.$/, '');
    const bare = host.replace(/^www\./, '');
    const rule = this.rules.find(({ pattern }) => fitsPattern(pattern, host) || fitsPattern(pattern, bare));
    return rule?.score ?? this.defaultScore;
  }

  /** The score of a page that was asked for at one URL and read at another: that of the less credible one. */
  scoreOfPage(url: string, finalUrl: string): number {
    return Math.min(...[url, finalUrl].map((address) => this.scoreOf(new URL(address).hostname)));
  }
}
