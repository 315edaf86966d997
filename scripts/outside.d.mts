export const outside: string[]
export const readByName: string[]
