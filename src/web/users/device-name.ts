import * as texts from '../../texts/generated/users.ts'

/** A browser and its system in words. */
export function deviceName({ browser, system }: { browser: string; system: string }): string {
  return browser && system ? texts.deviceOn({ browser, system }) : browser || system || texts.unknownDevice()
}
