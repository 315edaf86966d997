/** The id of the element around a public form's field, which links may lead to. */
export const fieldPlace = (name: string) => `field-${name}`
