import { setFlagsFromString } from 'node:v8'

export const HEAP_FLAGS = [
  // Collects garbage once the heap has grown by 30 % instead of up to four times (decision 91).
  '--heap-growing-percent=30',
  // Allocates all new objects in the young generation. Otherwise, once most objects made at a place in the code have lived long, V8
  // allocates the next ones in the old generation, where they keep everything of a call until the next full collection (decision 96).
  '--no-allocation-site-pretenuring',
]

/**
 * Without these flags, what requests leave behind fills hundreds of megabytes before V8 looks at it, and is copied into the old generation.
 * V8 reads them anew as it goes, so that they can be set while we run.
 */
export function setHeapFlags(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag)
}
