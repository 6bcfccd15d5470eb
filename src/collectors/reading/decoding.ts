import { SnapshotError } from '../collector.ts'

/** Decodes a text: UTF-8, or UTF-16 when its byte order mark says so. The mark is not part of it. */
export class Decoding {
  private readonly decoder: InstanceType<typeof TextDecoder>
  private readonly encoding: string

  constructor([first, second]: Uint8Array) {
    this.encoding =
      first === 0xff && second === 0xfe ? 'UTF-16LE' : first === 0xfe && second === 0xff ? 'UTF-16BE' : 'UTF-8'
    this.decoder = new TextDecoder(this.encoding, { fatal: true })
  }

  /**
   * Returns the text of a part; without one what is left at the end.
   * @throws SnapshotError for bytes that are not text: what stands in their place would be a guess.
   */
  read(part?: Uint8Array): string {
    try {
      return part ? this.decoder.decode(part, { stream: true }) : this.decoder.decode()
    } catch {
      throw new SnapshotError(
        `The answer has bytes that are not ${this.encoding}: it is damaged, or in another encoding.`,
      )
    }
  }
}
