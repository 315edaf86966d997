import { type ClubImport, clubFileApi, PART_BYTES } from '../../contract/club-files.ts'
import { call } from '../api/call.ts'

interface Sending {
  clubId: number
  /** The same for each try with this file. */
  key: string
  file: File
  /** How many parts have arrived, of how many. */
  onProgress: (received: number, parts: number) => void
}

/** Sends a club's file, from the first part that has not arrived. Throws the refusal, which the call has shown. */
export async function sendFile({ clubId, key, file, onProgress }: Sending): Promise<ClubImport> {
  const parts = Math.max(1, Math.ceil(file.size / PART_BYTES))
  let state = await call(clubFileApi.startImport, { payload: { clubId, key, parts } })
  // Parts are sent in their order, one after another.
  for (let part = state.received; part < parts && state.state === 'sending'; part++) {
    onProgress(part, parts)
    const content = await toBase64(file.slice(part * PART_BYTES, (part + 1) * PART_BYTES))
    state = await call(clubFileApi.sendImportPart, { payload: { clubId, key, part, content } }, { timeoutMs: 120_000 })
  }
  return state
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
