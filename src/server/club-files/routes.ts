import { clubFileApi } from '../../contract/club-files.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { findImport } from './import-queries.ts'
import { receivePart, startImport } from './receive-file.ts'
import { clubFile } from './write-club-file.ts'

export function clubFileRoutes(implement: Implement, deps: Deps): void {
  implement(clubFileApi, {
    exportClub: async ({ club, closed }) => ({ payload: null, file: await clubFile(deps, club, closed()) }),
    getImport: async ({ club }) => ({
      payload: { isAllowed: deps.settings.clubImports, latest: await findImport(deps.db, club.id) },
    }),
    startImport: async ({ caller, input }) => ({
      payload: await startImport(deps, { ...input.payload, userId: caller.id }),
    }),
    sendImportPart: async ({ club, input }) => ({ payload: await receivePart(deps, club, input.payload) }),
  })
}
