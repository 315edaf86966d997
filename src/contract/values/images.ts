export const imageKinds = ['user', 'club-logo', 'event-banner'] as const
export type ImageKind = (typeof imageKinds)[number]

/** Maximum size of an image file, in bytes. */
export const LARGEST_IMAGE = 10 * 1024 * 1024

/** For file inputs; the server checks the content anyway. */
export const imageTypes = 'image/jpeg,image/jpg,image/png'

/** Where an image of this kind is served, at least `width` pixels wide; the default when there is none (`''` or the text `null`). */
export function imageUrl(kind: ImageKind, file: string, width?: number): string {
  if (file === '' || file === 'null') return kind === 'user' ? '/img/default-user.jpg' : '/img/default-event.jpg'
  return `/api/${kind}/${encodeURIComponent(file)}${width === undefined ? '' : `?w=${width}`}`
}
