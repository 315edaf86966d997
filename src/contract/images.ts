/** Where an image of this kind is served; the default when there is none (`''` or the text `null`). */
export function imageUrl(kind: 'user' | 'club-logo' | 'event-banner', file: string): string {
  if (file === '' || file === 'null')
    return kind === 'event-banner' ? '/img/default-event.jpg' : '/img/default-user.jpg'
  return `/api/${kind}/${encodeURIComponent(file)}`
}
