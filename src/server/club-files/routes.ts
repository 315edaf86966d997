import { clubFileApi } from '../../contract/club-files.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { findImport } from './import-queries.ts'
import { receivePart, startImport } from './receive-file.ts'
import { clubFile } from './write-club-file.ts'

export function clubFileRoutes(implement: Implement, deps: Deps): void {
  implement(clubFileApi, {
    exportClub: async ({ club }) => ({ payload: null, file: clubFile(deps, club) }),
    getImport: async ({ club }) => ({ payload: await findImport(deps.db, club.id) }),
    startImport: async ({ caller, input }) => ({
      payload: await startImport(deps, { ...input.payload, userId: caller.id }),
    }),
    sendImportPart: async ({ club, input }) => ({ payload: await receivePart(deps, club, input.payload) }),
  })
}
