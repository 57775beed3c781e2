/** Names that every object has something under, where nobody has put it. */
export const everyObjectHas = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
