export const imageKinds = ['user', 'club-logo', 'event-banner'] as const
export type ImageKind = (typeof imageKinds)[number]

/** What an image's file may weigh at the most, in bytes. */
export const LARGEST_IMAGE = 10 * 1024 * 1024

/** For an input that takes images; the server judges by content all the same. */
export const imageTypes = 'image/jpeg,image/jpg,image/png'

/** Where an image of this kind is served, at least `width` pixels wide; the default when there is none (`''` or the text `null`). */
export function imageUrl(kind: ImageKind, file: string, width?: number): string {
  if (file === '' || file === 'null') return kind === 'user' ? '/img/default-user.jpg' : '/img/default-event.jpg'
  return `/api/${kind}/${encodeURIComponent(file)}${width === undefined ? '' : `?w=${width}`}`
}
