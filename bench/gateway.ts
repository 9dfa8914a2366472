/**
 * What is measured: this server against a bare streaming proxy in front of the same scripted upstream, or against itself
 * in its plain form. `npm run bench -- --help` tells how to run it.
 */
import { accountsApart } from './accounts-apart.js';
import { affinity } from './affinity.js';
import { auditLog } from './audit.js';
import { burstChat, burstResponse, embeddings, proseChat, wholeChat, wholeResponse } from './asks.js';
import { abortedCase, loopCase, pacedCase, residentMemory } from './cases.js';
import { comparison } from './comparison.js';
import { bareProxy, gateway, setModelPolicy, setSanitizerPolicy } from './contenders.js';
import { directorySync } from './directory-sync.js';
import { documents } from './documents/documents.js';
import { audioDecoding } from './echo/decoding.js';
import { firstSounds } from './echo/first-sounds.js';
import { translation } from './translation/texts.js';
import { liveSessions } from './echo/live-sessions.js';
import { streamsBesideSpeech } from './echo/streams-beside-speech.js';
import { audioUploads } from './echo/uploads.js';
import { Environment, UPSTREAM_PORTS } from './environment.js';
import { knowledge } from './knowledge/knowledge.js';
import { ledgerAlone } from './ledger.js';
import { helpText, readOptions } from './options.js';
import { researchEvents } from './research/research-events.js';
import { hostilePages, researchPages, researchSessions } from './research/research-pages.js';
import { runSections } from './run.js';
import type { Section } from './section.js';
import { signIns, signInsBesideStreams } from './sign-in.js';
import { tokenVerification } from './token-verification.js';
import { usageReading } from './usage.js';
import { userReading } from './users.js';

const options = readOptions();
const environment = new Environment(options.profile);

/** Differences of some percent need more rounds than those of some times. */
const CLOSE_ROUNDS = 5;
/** The chat by which this server is compared with itself. */
const plainChat = loopCase({
  ask: wholeChat,
  connections: 64,
  figures: { perSecond: {}, p50: {}, p99: {}, processor: {} },
});

const wholeLoops = [
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
];

/** This server and another build of it. */
function builds(tree: string): Section {
  return comparison({
    name: 'builds',
    title: 'Chat completions of two builds',
    about: `The other build is that of ${tree}. Both are on PostgreSQL.`,
    rounds: CLOSE_ROUNDS,
    contenders: [
      bareProxy(environment),
      gateway(environment, 'the other build', { tree }),
      gateway(environment, 'this server'),
    ],
    cases: [pacedCase(1_000), pacedCase(100), ...wholeLoops],
  });
}

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
      pacedCase(1_000, { late: { none: true }, lost: { none: true }, memory: { below: 60 } }),
      pacedCase(100),
      pacedCase(1),
      ...wholeLoops,
      residentMemory,
      abortedCase(environment),
    ],
  }),

  comparison({
    name: 'responses',
    title: 'Responses',
    about: `The upstream has responses of its own. This server keeps the context of each, encrypted in memory, so that it could be
continued.`,
    contenders: [bareProxy(environment), gateway(environment, 'this server')],
    cases: [
      loopCase({ ask: wholeResponse, connections: 1, figures: { perSecond: {}, p50: {}, p99: {} } }),
      loopCase({ ask: wholeResponse, connections: 64, figures: { perSecond: {}, processor: {} } }),
      loopCase({
        ask: burstResponse,
        connections: 16,
        what: '200-delta answer',
        figures: { perSecond: {}, processor: {} },
      }),
      residentMemory,
    ],
  }),

  comparison({
    name: 'embeddings',
    title: 'Embeddings',
    about: `Vectors of 384 numbers. This server asks the upstream for 2,048 inputs in batches of 256, four of them at once, and
joins the answers; the bare proxy passes the one request on.`,
    contenders: [bareProxy(environment), gateway(environment, 'this server')],
    cases: [
      ...(['base64', 'float'] as const).map((format) =>
        loopCase({
          ask: embeddings(1, format),
          connections: 64,
          of: `1 input, ${format}`,
          figures: { perSecond: {}, p50: {}, processor: {} },
        }),
      ),
      ...(['base64', 'float'] as const).map((format) =>
        loopCase({
          ask: embeddings(2_048, format),
          connections: 4,
          of: `2048 inputs, ${format}`,
          figures: { perSecond: {}, p50: {}, processor: {}, memory: {} },
        }),
      ),
    ],
  }),

  comparison({
    name: 'credentials',
    title: 'A personal access token against a JWT',
    about: 'Chats in one piece.',
    rounds: CLOSE_ROUNDS,
    contenders: [
      gateway(environment, 'JWT'),
      gateway(environment, 'personal access token', { credential: 'personal access token' }),
    ],
    cases: [plainChat],
  }),

  comparison({
    name: 'backends',
    title: `${UPSTREAM_PORTS} backends against one`,
    about: `All serve the same model, on ports of one process; each of the 64 connections has a conversation of its own. Chats in
one piece.`,
    rounds: CLOSE_ROUNDS,
    contenders: [
      gateway(environment, '1 backend', { backends: 1 }),
      gateway(environment, `${UPSTREAM_PORTS} backends`, { backends: UPSTREAM_PORTS }),
    ],
    cases: [plainChat],
  }),

  comparison({
    name: 'model-policy',
    title: 'A model policy against none',
    about: `Half of the patterns allow, half deny; each is tried before the model is allowed. 200 are the most. Chats in one
piece.`,
    rounds: CLOSE_ROUNDS,
    contenders: [
      gateway(environment, 'no policy'),
      gateway(environment, '6 patterns', { prepare: (admin) => setModelPolicy(admin, 6) }),
      gateway(environment, '200 patterns', { prepare: (admin) => setModelPolicy(admin, 200) }),
    ],
    cases: [plainChat],
  }),

  comparison({
    name: 'sanitizer',
    title: 'Sanitizer policies against none',
    about: `All builtin kinds and 1,000 words, in prompts and answers, none of which has any. The answers have 200 events, of
prose or with a number in each.`,
    rounds: CLOSE_ROUNDS,
    contenders: [gateway(environment, 'no policy'), gateway(environment, 'a policy', { prepare: setSanitizerPolicy })],
    cases: [
      pacedCase(1),
      pacedCase(100),
      loopCase({ ask: wholeChat, connections: 64, figures: { perSecond: {}, p50: {}, processor: {} } }),
      loopCase({
        ask: proseChat,
        connections: 16,
        what: '200-event answer',
        of: 'prose',
        figures: { perSecond: { atLeast: 0.85 }, processor: {} },
      }),
      loopCase({
        ask: burstChat,
        connections: 16,
        what: '200-event answer',
        of: 'numbers',
        figures: { perSecond: { atLeast: 0.85 }, processor: {} },
      }),
    ],
  }),

  ...(['PostgreSQL', 'embedded'] as const).map((database) =>
    comparison({
      name: `ledger-${database.toLowerCase()}`,
      title: `The ledger on, against off: ${database}`,
      about: 'Off, nothing is written for a call. Chats in one piece.',
      rounds: CLOSE_ROUNDS,
      contenders: [
        gateway(environment, 'ledger off', { database, ledger: 'off' }),
        gateway(environment, 'ledger on', { database }),
      ],
      cases: [
        loopCase({ ask: wholeChat, connections: 1, figures: { perSecond: {}, p50: { atMost: 1 } } }),
        loopCase({
          ask: wholeChat,
          connections: 64,
          figures: { perSecond: { atLeast: 0.75 }, p50: {}, processor: {} },
        }),
      ],
    }),
  ),

  ledgerAlone(environment),
  auditLog(environment),

  usageReading(environment, options.quick),
  directorySync(environment, options.quick),
  signIns(environment),
  signInsBesideStreams(environment),
  accountsApart(environment, options.quick),
  userReading(environment, options.quick),
  knowledge(environment, options.quick),
  documents(environment, options.quick),
  researchPages(environment),
  hostilePages(environment, options.quick),
  researchSessions(environment),
  researchEvents(environment, options.quick),
  audioUploads(environment, options.quick),
  audioDecoding(environment, options.quick),
  firstSounds(environment, options.quick),
  translation(options.quick),
  liveSessions(environment, options.quick),
  streamsBesideSpeech(environment, options.quick),

  affinity,

  tokenVerification(environment),
];

if (options.help) console.log(helpText(sections));
else
  await environment.during(() =>
    runSections(options.against === undefined ? sections : [builds(options.against)], options),
  );
