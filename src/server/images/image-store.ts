/**
 * Where images are stored: files by name, on disk or in object storage. Names are ours, never a visitor's. Nothing is deleted at once: a
 * removed file goes to a trash, from which it can be restored until it is purged.
 */
export interface ImageStore {
  put(name: string, bytes: Buffer): Promise<void>
  /** The file's bytes; null when there is none, or when it was removed. */
  get(name: string): Promise<Buffer | null>
  /** Moves a file to the trash. */
  remove(name: string): Promise<void>
  /** Whether `restore` would bring this file back. */
  isRestorable(name: string): Promise<boolean>
  /** The bytes of what `restore` would bring back, which stays where it is; null when there is nothing. */
  getRemoved(name: string): Promise<Buffer | null>
  /** Restores a file from the trash. */
  restore(name: string): Promise<void>
  /** Deletes a file from the trash for good. */
  purge(name: string): Promise<void>
  /** Every image file with the moment it was written. */
  list(): Promise<StoredFile[]>
  /** Every file in the trash with the moment it came there. */
  listRemoved(): Promise<StoredFile[]>
  /** The id of the installation whose files these are; null when none has claimed them. */
  owner(): Promise<string | null>
  /** Writes the id of the installation, unless there is one already. */
  claim(installationId: string): Promise<void>
  /** Where the id is written, for people. */
  ownerPlace: string
}

export interface StoredFile {
  name: string
  writtenAt: Date
}

/** The name of the file that holds the installation's id. */
export const OWNER_FILE = 'installation-id'

/** Whether the name has our format. Anything else in the folder or bucket is left alone. */
export function isOurs({ name }: StoredFile): boolean {
  return /^[0-9a-f]{32}(-\d+)?\.(jpg|png|webp)(\.part)?$/.test(name)
}
