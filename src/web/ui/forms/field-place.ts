/** The id of the element around a public form's field, as a target for links. */
export const fieldPlace = (name: string) => `field-${name}`
