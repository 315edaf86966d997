// Mail programs turn these into links, so that a registration would carry somebody's advertisement to a stranger's mailbox.
const scheme = /:\/\/|\bwww\./i
const domain =
  /(?:^|[^\p{L}\p{N}.@-])[\p{L}\p{N}-]{3,}(?:\.[\p{L}\p{N}-]+)*\.(?:com|net|org|info|biz|io|co|app|dev|xyz|top|site|online|shop|store|club|link|click|live|me|tv|cc|ly|gl|ru|cn|de|uk|eu|fr|nl|at|ch|it|es|pl|us|example)(?![\p{L}\p{N}-])/iu

/** Whether a text has a web address in it. */
export function hasWebAddress(text: string): boolean {
  return scheme.test(text) || domain.test(text)
}
