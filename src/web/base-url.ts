/** The public address of this site (BASE_URL) without a slash at its end: for codes and links that leave the page. */
export function baseUrl(): string {
  const told = document.querySelector<HTMLMetaElement>('meta[name="base-url"]')?.content ?? ''
  // In development the page comes from Vite, which does not fill it in.
  return told.startsWith('http') ? told : window.location.origin
}
