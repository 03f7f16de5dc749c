/** Does a condition of SQL choose every row? Only what is plainly so; anything else chooses. */
export function isAlwaysTrue(condition: string): boolean {
  const bare = condition.replace(/[()]/g, ' ').replace(/\s+/g, ' ').trim().toLowerCase();
  return bare.split(/ or /).some((either) => either.split(/ and /).every((each) => isTrue(each.trim())));
}

function isTrue(term: string): boolean {
  if (/^(?:true|not false|[1-9]\d*|id is not null|\S+ i?like '%+'|exists select 1)$/.test(term)) return true;
  const comparison = /^([^\s=<>!]+) ?(=|==|<=|>=|<>|!=|<|>|is) ?([^\s=<>!]+)$/.exec(term);
  if (comparison === null) return false;
  const [, left = '', operator = '', right = ''] = comparison;
  if (left === right) return /^(?:=|==|<=|>=|is)$/.test(operator);
  if (left === 'id' && Number(right) <= 0) return operator.startsWith('>') || operator === '<>' || operator === '!=';
  if (!isConstant(left) || !isConstant(right)) return false;
  if (/^(?:<>|!=)$/.test(operator)) return true;
  return operator.startsWith('<') ? Number(left) < Number(right) : operator.startsWith('>') && Number(left) > Number(right);
}

const isConstant = (term: string): boolean => /^(?:-?\d+|'.*'|true|false)$/.test(term);
