import * as z from 'zod/mini'
import { device as deviceFields } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import { deviceStore } from '../../storage.ts'

const stored = z.object({
  ...deviceFields.shape,
  /** `express`: a valid ticket is let in at once. `confirm`: only when staff confirm it. */
  mode: z.catch(z.enum(['express', 'confirm']), 'express'),
  sound: z.catch(z.boolean(), true),
  /** The camera's id as the browser gave it; null for the back one. */
  camera: z.catch(z.nullable(z.string()), null),
})
/** This phone and its settings at the door. */
export type DoorDevice = z.output<typeof stored>

const KEY = 'doorDevice'

/** The stored settings; the first time with a generated name. */
export function readDevice(): DoorDevice {
  try {
    const result = z.safeParse(stored, JSON.parse(deviceStore.read(KEY) ?? ''))
    if (result.success) return result.data
  } catch {
    // Nothing is stored yet, or nothing that can be read.
  }
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const fresh = {
    id,
    name: texts.phoneNamed({ code: id.slice(0, 4).toUpperCase() }),
    mode: 'express' as const,
    sound: true,
    camera: null,
  }
  return storeDevice(fresh)
}

/** If the browser stores nothing, the phone has a new name each time; nothing else depends on it. */
export function storeDevice(device: DoorDevice): DoorDevice {
  deviceStore.write(KEY, JSON.stringify(device))
  return device
}
