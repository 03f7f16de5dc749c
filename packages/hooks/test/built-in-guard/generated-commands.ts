import fc from 'fast-check';

/** Items stand apart by two spaces or a new line; `↵` is a line's end, `→` a tab. */
const listed = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...text
      .trim()
      .split(/ {2,}|\n\s*/)
      .map((item) => item.replaceAll('↵', '\n').replaceAll('→', '\t')),
  );

export const workingDirectory = listed(`
  /code/app  /code/app  /code/app  /code/app  /code/app  /code/app  /code/app/src  /code  /code/piton
  /code/app/.piton  /code/app/.git/hooks  /home/ann  /home/ann/.config  /
`);

const name = listed(`
  .piton  piton  .pi  ton  hooks  settings.json  .agent  .git  post-commit  short  linked  .shared  .PITON  src  dist  a.ts  x/y  ..  .
  linked/guard  short/settings.json  /home/ann  ~  /run/user/7  .config  state  1  .local  other  plugins  piton.js  tsconfig.json
  x.agent  Application Support  .p\u212aton  \u017fettings.json  é
`);
const join = listed(String.raw`/  /  /  ''  ""  '  "  \  :  =  ,  -`);

/** Any names in a row. */
export const path = fc
  .tuple(name, fc.array(fc.tuple(join, name), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.map((pair) => pair.join('')).join(''));

/** Something of ours or what leads there, spelled somehow; and some that is not. */
const operand = listed(String.raw`
  linked/x  short/settings.json  .agent  ./.agent/  .shared  1  v2  .piton  '.pi'ton  .pi"to"n  .pi"ton"  .pi\ton  .piton/x  '.piton/x'
  -t.agent  -t./linked  --to=.piton  a:.piton  linked  "linked"  ~/.agent  ../app/linked  a/../linked  /code/app/linked/x  $D  .pi{t,}on
  /home/ann/.agent  /home/ann  .git/hooks  .git  4711  dist  src/a.ts  foo2  "a b"  '*.ts'  -rf  .pit*  $HOME/.agent  settings.json
`);
const act = listed(`
  rm -rf @  rm @  rm a @ b  mv @ gone  chmod +x @  rm a &> log @  rm a > log @  rm a 2>&1 @  rm @2>log  rm @>log  rm foo@>x  rm -o@
  /bin/rm @  "rm" @  'mv' @ x  git rm @  kill @  kill -9 4711  pkill -f @  rsync -a @ x  ls @ | rsync -a x y  ls @ | xargs rm
  echo x > @  echo x >@  echo "x" >> @  ls 2>@  ls &> @  ls >& @  ls >| @  ls 2>&1  ls @ 2>&1  touch @  cat @  tee @  sed -i s/a/b/ @
  cp a @  git checkout -- @  git -C @ checkout x  python3 -c "open('@', 'w')"  node -e @  cd @  cd @ && rm x  piton trust  find @ -delete
  npx piton untrust  tar xf a -C @  echo @ | sh  unknown @  unknown --file=@  awk @  env @  git config core.hooksPath @  export D=@
  cp -r x/. @  cp settings.json @  cp x/settings.json @/  mv settings.json @  unzip a.zip -d @  tar xf a.tar -C @  curl -O http://x/@  cp -t @ settings.json
  ln -s @ l; rm l/settings.json  env -C @ rm x  agent --bare  agent -p @  AGENT_HOME=@ agent  wget -P @ http://x/settings.json  git -C @ init  agent --settings @
  D=@; rm $D  >log "rm" @  2>&1 "rm" @  A="b" rm @  A=b "rm" @  ! rm @  rm=@  printf -v D @  D=(@); rm $D  source @
`);
const around = listed(`
  @  @  @  @  @  @  cd /code/app && @  pushd /code/app; @  cd src↵@  cd ..; @  A=1 @  A="b c" @  >log @  sudo @  ls; @  @ | head -5
  env -S "@"  bash -c '@'  sh -c "@"  eval "@"  eval '@'  time "@"  timeout 5 "@"  trap '@' EXIT  watch "@"  alias x='@'  @ # rm  @ &
  if true; then @; fi  (@)  { @; }  $(@)  echo "@"  echo '@'  # it's↵@ #'  # "↵@ #"  ls # '↵@'  xargs @  cat <<EOF↵@↵EOF  @ && npm test
  cat <<'EOF'↵@↵EOF  cat > y <<'EOF'↵@↵EOF  cat > x.sh <<'EOF'↵@↵EOF↵sh x.sh  bash <<"EOF"↵@↵EOF  echo "<<'EOF'"↵@↵EOF  # <<'EOF'↵@↵EOF
  python3 - <<'EOF'↵@↵EOF  xargs rm <<'EOF'↵@↵EOF  cat <<'EOF'↵EOF↵@  cat <<'EOF' | sh↵@↵EOF  cat <<'EOF'x↵EOF↵EOFx↵@  cat <<'EOF'x↵@↵EOF  x <<<'EOF'↵@↵EOF  cat <<'A' <<'B'↵A↵@↵B  @ $?
  tee x.sh <<'EOF'↵@↵EOF↵. ./x.sh  cat <<'EOF'↵@↵ EOF↵rm linked/x  echo "a\\" @ "b"  echo "a"; @ #"  echo "$? @"  ls $? @
  . '@'  source "@"  printf %s%s ki ll 4711 | sh  printf %-3s%s rm @ > x.sh; ./x.sh  echo '@' > x.sh; sh x.sh  echo "@" | tee x.sh && ./x.sh  find . -exec @ +  cat <(@)  echo '@' > x.sh↵. ./x.sh
`);
const odd = listed(
  String.raw`; && | || & > >> 2>&1 >/dev/null &> 2> >& >| # < $( ) ${'`'} { } * ? ~/ → << <<< ( ' " $HOME/ D= ↵ \ [`.replaceAll(' ', '  '),
);

const put = (into: string, what: string): string => into.split('@').join(what);

export const command = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(operand, act, around).map(([what, does, wrap]) => put(wrap, put(does, what))) },
  { weight: 2, arbitrary: fc.tuple(operand, act, around, around).map(([what, does, wrap, more]) => put(more, put(wrap, put(does, what)))) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.oneof(operand, path), act, odd, fc.constantFrom('', ' ')), { minLength: 1, maxLength: 4 })
      .map((all) => all.map(([what, does, after, space]) => `${put(does, what)}${space}${after}${space}`).join('')),
  },
);
