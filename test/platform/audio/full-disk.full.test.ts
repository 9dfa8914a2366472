import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openAudio, silence, wavOf } from '../../support/builders/audio.js';
import { onSmallDisk, SmallDisk } from '../../support/servers/small-disk.js';

onSmallDisk.describe('a disk that is full while audio is decoded', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(1);
  });
  afterEach(() => disk.remove());

  it('says nothing of the audio, which is decoded when there is room', async () => {
    using bed = await openAudio({}, disk.path);

    const refused = await bed.reasonOf(wavOf(silence(120)));
    disk.clear(bed.folder);
    const { durationSeconds } = await bed.decode(wavOf(silence(5)));

    expect([refused, durationSeconds]).toEqual(['interrupted', 5]);
  });
});
