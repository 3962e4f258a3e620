/** Commands of shells and operating systems, which are no tools of a repository. */
export const systemCommands: ReadonlySet<string> = new Set(
  `alias awk base64 basename bash bc bg break builtin bunzip2 bzip2 call cat cd chgrp chmod choice chown clear cls cmd cmp
  command comm continue copy cp cscript cut date dd declare del dash df diff dir dirname dirs disown do done du echo egrep
  else end endlocal env erase esac eval exec exit expand export expr false fg fgrep fi file find fmt fold for function
  gawk getent getopts goto grep groups gunzip gzip hash head help history hostname id if install jobs join kill killall
  less let ln local logger login ls lsof man md md5 md5sum mkdir mktemp more mount move mv nano nc netstat nice nl nohup
  open paste patch pause pgrep pidof ping pkill popd powershell printenv printf ps pushd pwd pwsh rd read readlink
  readonly realpath rem ren rename return rev rm rmdir robocopy rsync scp script sed select seq set setlocal setx sftp sh
  sha1sum sha256sum shasum shift shopt shuf sleep sort source split ssh start stat strings stty su sudo sum sync tac tail
  tar taskkill tee telnet test then time timeout times top touch tput tr trap true truncate tsort tty type typeset ulimit
  umask unalias uname unexpand uniq until unlink unset unzip uptime vi vim wait watch wc which while whoami whereis xargs
  xcopy xdg-open xz yes zcat zip zsh`.split(/\s+/),
);
