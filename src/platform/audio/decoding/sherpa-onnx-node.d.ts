/** What is used of sherpa-onnx-node, a CommonJS module that has no types of its own. */
declare module 'sherpa-onnx-node' {
  /** Tells speech from other sounds, window by window. */
  interface Vad {
    acceptWaveform(samples: Float32Array): void;
    isDetected(): boolean;
    isEmpty(): boolean;
    front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array };
    pop(): void;
    flush(): void;
    /** Forgets all that was heard. */
    reset(): void;
  }
  /** Changes the rate of samples. */
  interface LinearResampler {
    resample(samples: Float32Array): Float32Array;
    flush(samples: Float32Array): Float32Array;
  }
  const sherpa: {
    readonly Vad: new (config: object, bufferSizeInSeconds: number) => Vad;
    readonly LinearResampler: new (inputSampleRate: number, outputSampleRate: number) => LinearResampler;
  };
  // oxlint-disable-next-line import/no-default-export
  export default sherpa;
}
