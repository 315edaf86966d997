import type { Mutant } from './mutant.ts'

const imageSweep = ['test/api/image-sweep.test.ts']

export const ops: Mutant[] = [
  {
    name: 'the owner of the images, asked before they are swept',
    file: 'src/server/images/sweep.ts',
    find: '(await claimImages(deps)) !== null || ',
    replace: '',
    tests: imageSweep,
  },
  {
    name: 'the refusal to sweep for a database without a club',
    file: 'src/server/images/sweep.ts',
    find: ' || !(await isAnyClub(db))',
    replace: '',
    tests: imageSweep,
  },
  {
    name: 'the largest share of images that is swept',
    file: 'src/server/images/sweep.ts',
    find: 'files.length >= FEW_FILES && isTooMany(orphans, files)',
    replace: 'files.length < 0',
    tests: imageSweep,
  },
  {
    name: 'the days between two sightings of an image without a row',
    file: 'src/server/images/sweep.ts',
    find: 'seenBy: before(ORPHAN_MS)',
    replace: 'seenBy: now',
    tests: imageSweep,
  },
  {
    name: 'the days that a removed image is kept',
    file: 'src/server/images/sweep.ts',
    find: 'isWithoutRow(file) && file.writtenAt < before(TRASH_MS)',
    replace: 'isWithoutRow(file)',
    tests: imageSweep,
  },
  {
    name: 'the row that a removed image needs to be served',
    file: 'src/server/images/read-image.ts',
    find: ' || !(await isImageInUse(db, file))',
    replace: '',
    tests: imageSweep,
  },
  {
    name: 'the operator who is there already',
    file: 'src/server/auth/first-sudo.ts',
    find: 'if (await isAnySudo(db)) {',
    replace: 'if (settings.sudoEmail === null && (await isAnySudo(db))) {',
    tests: ['test/api/operator.test.ts'],
  },
  {
    name: 'the refusal to import what is of another event than its registration',
    file: 'src/server/club-files/import-club.ts',
    find: 'if (await queries.hasRowsOfAnotherEvent(tx, clubId))',
    replace: 'if (false)',
    tests: ['test/api/club-file-checks.test.ts'],
  },
]
