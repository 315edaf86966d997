/** How to reach somebody who was added at the door, as far as they said. */
export function Contact({ email, phone }: { email: string; phone: string }) {
  const given = [email, phone].filter(Boolean).join(' · ')
  return given === '' ? null : <p>{given}</p>
}
