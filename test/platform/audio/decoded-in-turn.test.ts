import { expect, it } from '@jest/globals';
import { openAudio, samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';

it('tells of a file the same, whatever the child has heard before', async () => {
  using bed = await openAudio({ audioProcesses: 1 });
  const [first, other] = [
    spoken('The meeting begins at nine.'),
    wavOf(silence(2), samplesOf(spoken('Lunch is at noon.'))),
  ];
  const fresh = await bed.decode(first);
  const [pid] = bed.audio.children.idlePids;

  // It ends in the middle of a word, so the detector has something to forget.
  await bed.decode(other.subarray(0, other.length - 20_000));
  const again = await bed.decode(first);

  expect(fresh.spans.length).toBeGreaterThan(0);
  expect(again.spans).toEqual(fresh.spans);
  expect(bed.audio.children.idlePids).toEqual([pid]);
});
