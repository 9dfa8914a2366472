import type { Caller } from '../../access/caller.js';
import type { Models, TranslationTraits } from '../../inference/domain.js';
import { inTurns } from './in-turns.js';
import { TenantTurns } from './tenant-turns.js';
import type { TranslationEngineLanguages, TranslationPair } from './translation-engine-languages.types.js';

const ANY = '*';
/** What chat models are asked for: they do not say which languages they know. */
const ANY_PAIR = [{ source: ANY, target: ANY }];
/** Of one model: those of 64 languages, each into any other. */
const MOST_OF_MODEL = 4_032;
/** Of all models that a request is told of. */
const MOST = 10_000;

/** Tells what translates, and from which languages into which. */
export class TranslationCatalog {
  /** How many pairs requests have been told: an operation of the graph may ask several times. */
  private readonly told = new WeakMap<object, number>();
  private readonly turns = new TenantTurns();

  constructor(private readonly models: Pick<Models, 'translationModels'>) {}

  /**
   * Those that the caller's tenant may use, in the order in which they are asked where no model is named.
   * @param request for which they are told
   */
  async list(caller: Caller, request: object): Promise<TranslationEngineLanguages[]> {
    const nextTurn = (): Promise<void> => this.turns.next(caller.tenantId);
    const models = await this.models.translationModels(caller);
    return models.map(({ id, engine, traits }) => {
      const pairs = traits ? this.toPairs(traits, request) : ANY_PAIR;
      return {
        engine,
        model: id,
        pairs: () => inTurns(pairs, nextTurn),
        formality: engine === 'chat',
        // Terms are kept for engines that have no glossary, and so is markup.
        glossary: true,
        html: true,
        context: engine === 'chat',
      };
    });
  }

  /** Pairs one by one, or in short where they are too many: into which languages, or any at all. */
  private toPairs({ pairs }: TranslationTraits, request: object): readonly TranslationPair[] {
    const told = this.told.get(request) ?? 0;
    const left = MOST - told;
    let listed: readonly TranslationPair[] = ANY_PAIR;
    if (pairs.size <= Math.min(MOST_OF_MODEL, left)) listed = [...pairs];
    else {
      const targets = new Set(pairs.targets());
      if (targets.size <= left) listed = Array.from(targets, (target) => ({ source: ANY, target }));
    }
    this.told.set(request, told + listed.length);
    return listed;
  }
}
