/** The address that opens the messaging app with a text for this number (E.164); without a number the user chooses the recipient. */
export function contactLink(phone: string, text: string): string {
  const number = phone.replace(/\D/g, '')
  return `https://api.whatsapp.com/send?${number === '' ? '' : `phone=${number}&`}text=${encodeURIComponent(text)}`
}

/** Opens the messaging app in a new window. */
export function openContact(phone: string, text: string): void {
  window.open(contactLink(phone, text), '_blank', 'noopener,noreferrer')
}
