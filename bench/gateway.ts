/**
 * What is measured: this server against a bare streaming proxy in front of the same scripted upstream, or against itself
 * in its plain form. `npm run bench -- --help` tells how to run it.
 */
import { affinity } from './affinity.js';
import { burstChat, wholeChat } from './asks.js';
import { abortedCase, loopCase, pacedCase, residentMemory } from './cases.js';
import { comparison } from './comparison.js';
import { bareProxy, gateway } from './contenders.js';
import { Environment } from './environment.js';
import { helpText, readOptions } from './options.js';
import { runSections } from './run.js';
import type { Section } from './section.js';
import { tokenVerification } from './token-verification.js';

const options = readOptions();
const environment = new Environment(options.profile);

const sections: readonly Section[] = [
  comparison({
    name: 'chat',
    title: 'Chat completions',
    about: "Paced streams have 20 events a second. A delay is from the upstream's write to the client's read.",
    contenders: [
      bareProxy(environment),
      gateway(environment, 'this server, PostgreSQL'),
      gateway(environment, 'this server, embedded', { database: 'embedded' }),
    ],
    cases: [
      pacedCase(1_000, { late: { atMost: 0 }, lost: { atMost: 0 }, memory: { below: 60 } }),
      pacedCase(100),
      pacedCase(1),
      loopCase({
        ask: wholeChat,
        connections: 1,
        figures: { perSecond: {}, p50: { atMost: 0.6 }, p99: { atMost: 3 } },
      }),
      loopCase({ ask: wholeChat, connections: 64, figures: { perSecond: { atLeast: 0.35 }, processor: {} } }),
      loopCase({
        ask: burstChat,
        connections: 16,
        what: '200-event answer',
        figures: { perSecond: { atLeast: 0.35 }, processor: {} },
      }),
      residentMemory,
      abortedCase(environment),
    ],
  }),

  affinity,

  tokenVerification(environment),
];

if (options.help) console.log(helpText(sections));
else await environment.during(() => runSections(sections, options));
