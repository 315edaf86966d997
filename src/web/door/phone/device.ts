import * as z from 'zod/mini'
import { device as deviceFields } from '../../../contract/door.ts'
import { deviceStore } from '../../storage.ts'

const stored = z.object({
  ...deviceFields.shape,
  /** `express`: who is valid comes in at once. `confirm`: only when somebody says so. */
  mode: z.catch(z.enum(['express', 'confirm']), 'express'),
  sound: z.catch(z.boolean(), true),
  /** The camera's id as the browser gave it; null for the back one. */
  camera: z.catch(z.nullable(z.string()), null),
})
/** This phone at the door, and how its people like it. */
export type DoorDevice = z.output<typeof stored>

const KEY = 'doorDevice'

/** As kept here; the first time with a name that can be told from others'. */
export function readDevice(): DoorDevice {
  try {
    const result = z.safeParse(stored, JSON.parse(deviceStore.read(KEY) ?? ''))
    if (result.success) return result.data
  } catch {
    // Nothing is kept yet, or nothing that makes sense.
  }
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const fresh = {
    id,
    name: `Phone ${id.slice(0, 4).toUpperCase()}`,
    mode: 'express' as const,
    sound: true,
    camera: null,
  }
  return keepDevice(fresh)
}

/** A browser that keeps nothing here gives the phone another name each time; nothing else depends on it. */
export function keepDevice(device: DoorDevice): DoorDevice {
  deviceStore.write(KEY, JSON.stringify(device))
  return device
}
