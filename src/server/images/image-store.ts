/** Where images are kept: files by name, on disk or in object storage. Names are ours, never a visitor's. */
export interface ImageStore {
  put(name: string, bytes: Buffer): Promise<void>
  /** The file's bytes; null when there is none. */
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** Every file with the moment it was written. */
  list(): Promise<{ name: string; writtenAt: Date }[]>
}
