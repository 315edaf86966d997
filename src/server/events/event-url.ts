/** The public address of a club's page; `baseUrl` has no slash at the end. */
export function clubUrl(baseUrl: string, clubId: number): string {
  return `${baseUrl}/club/${clubId}/event`
}

/** The public address of an event's page. */
export function eventUrl(baseUrl: string, { id, clubId }: { id: number; clubId: number }): string {
  return `${clubUrl(baseUrl, clubId)}/${id}`
}
